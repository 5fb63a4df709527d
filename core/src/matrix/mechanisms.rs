//! The mechanisms that are compared: what somebody can set up between a lock and the data behind it.

/// One mechanism: a row of the matrix.
#[derive(Debug)]
pub struct Mechanism {
    /// Its name, which is also the row's in a scenario.
    pub name: &'static str,
    /// In a few words.
    pub title: &'static str,
    /// What it does, in a sentence.
    pub sentence: &'static str,
    /// Where it is known from.
    pub known_from: &'static str,
    /// Its switches, as a scenario's `compare` section has them. What it leaves open, the situation sets.
    pub row: &'static str,
    /// Whether what it does is a try of its own: then a search allows for one more than the situation does, where tries are
    /// part of what is asked.
    pub tries_again: bool,
}

impl Mechanism {
    /// All of them, by guard, the weakest first.
    pub const ALL: &'static [Mechanism] = &[
        Mechanism {
            name: "none",
            title: "No check",
            sentence: "The destination takes every write; only the lock stands between two owners.",
            known_from: "most locks as they are used, and advisory locks",
            row: "guard none",
            tries_again: false,
        },
        Mechanism {
            name: "client-check",
            title: "The worker asks the lock service",
            sentence: "Just before it writes, the worker asks the lock service whether it still owns the lock.",
            known_from: "the advice to check again before writing",
            row: "guard client-check",
            tries_again: false,
        },
        Mechanism {
            name: "client-check-replica",
            title: "The worker asks a replica",
            sentence: "Just before it writes, the worker asks a replica of the lock service, which may be behind.",
            known_from: "lock services whose reads may be stale unless asked otherwise",
            row: "guard client-check, asks lock-replica",
            tries_again: false,
        },
        Mechanism {
            name: "client-check-destination",
            title: "The worker asks the destination",
            sentence: "Just before it writes, the worker asks the destination whether it has seen a higher epoch.",
            known_from: "ownership that is read before the append starts, in a step of its own",
            row: "guard client-check, asks destination",
            tries_again: false,
        },
        Mechanism {
            name: "self-check",
            title: "The worker looks at its clock",
            sentence: "Just before it writes, the worker asks its own clock whether its lease still runs.",
            known_from: "lock clients that keep a local deadline",
            row: "guard self-check",
            tries_again: false,
        },
        Mechanism {
            name: "max-seen",
            title: "No lower than seen",
            sentence: "The destination refuses an epoch that is lower than the highest it has seen on a write.",
            known_from: "the common figure of fencing tokens, Redisson's fenced lock, bsm/redislock",
            row: "guard max-seen",
            tries_again: false,
        },
        Mechanism {
            name: "max-seen-reads",
            title: "No lower than seen, reads count",
            sentence: "As above, and a read shows the destination the reader's epoch too.",
            known_from: "a cure for the gap between the new owner's read and its first write",
            row: "guard max-seen, counts reads-too",
            tries_again: false,
        },
        Mechanism {
            name: "greater-than",
            title: "Higher than seen",
            sentence: "The destination takes only an epoch that is higher than any it has seen.",
            known_from: "several articles on fencing tokens",
            row: "guard greater-than",
            tries_again: false,
        },
        Mechanism {
            name: "row-version",
            title: "The row's version",
            sentence: "A write names the version that it was computed from, and is refused if the row has moved on; the worker then gives up.",
            known_from: "conditional writes of S3, Google Cloud Storage and Elasticsearch",
            row: "guard row-version",
            tries_again: false,
        },
        Mechanism {
            name: "row-version-redo",
            title: "The row's version, with redo",
            sentence: "As above, but a worker that meets a conflict reads again and carries its operation out once more.",
            known_from: "optimistic retry loops, lock-free commits of Iceberg",
            row: "guard row-version, on-conflict redo",
            tries_again: true,
        },
        Mechanism {
            name: "deadline",
            title: "The write's deadline",
            sentence: "A write carries the end of its lease, and the destination refuses it after that by its own clock.",
            known_from: "YugabyteDB's write fence",
            row: "guard deadline",
            tries_again: false,
        },
        Mechanism {
            name: "holder-of-worker",
            title: "The worker named in the store",
            sentence: "Lock and data are one store, and a write is taken if the worker it comes from holds the lock there.",
            known_from: "host names or process names used as lock owners",
            row: "guard holder, holder-id worker",
            tries_again: false,
        },
        Mechanism {
            name: "holder",
            title: "The grant named in the store",
            sentence: "Lock and data are one store, and a write is taken if its very grant holds the lock there.",
            known_from: "Azure blob leases, an ownership comparison inside an etcd transaction",
            row: "guard holder",
            tries_again: false,
        },
        Mechanism {
            name: "promise",
            title: "Promised epoch",
            sentence: "A new owner has the destination promise to take no lower epoch; a higher one raises the promise.",
            known_from: "HDFS's quorum journal, Oxia",
            row: "guard promise",
            tries_again: false,
        },
        Mechanism {
            name: "registered",
            title: "Registered epoch, no operation IDs",
            sentence: "A new owner registers its epoch before it reads, and from then on only that grant's writes are taken.",
            known_from: "register-first fencing; a step on the way to the last row",
            row: "guard registered",
            tries_again: false,
        },
        Mechanism {
            name: "registered-late-look-up",
            title: "Registered epoch, IDs looked up last",
            sentence: "Operation IDs are recorded with the write, but looked up only for what the epoch check has let in.",
            known_from: "a check that stands in front of the whole handler",
            row: "guard registered, operation-ids in-transaction, look-up after-guard",
            tries_again: false,
        },
        Mechanism {
            name: "registered-with-ids",
            title: "Registered epoch and operation IDs",
            sentence: "Operation IDs are recorded with the write and looked up first; then only the registered grant may write.",
            known_from: "epoch check and operation ID in one transaction at the destination",
            row: "guard registered, operation-ids in-transaction",
            tries_again: false,
        },
    ];

    /// The mechanism called `name`.
    pub fn find(name: &str) -> Option<&'static Mechanism> {
        Self::ALL.iter().find(|mechanism| mechanism.name == name)
    }
}
