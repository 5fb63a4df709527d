//! What each guard holds and breaks over every choice: two workers, two grants, two operations where that is feasible, one
//! message lost, one request sent again.

use std::fmt::Write;

use expect_test::expect;
use fencepost_core::destination::Guard;
use fencepost_core::event::Process;
use fencepost_core::fact::Fact;
use fencepost_core::invariant::Invariant;
use fencepost_core::mechanism::{
    Counts, HolderId, LookUp, Mechanism, Mint, OperationIds, Reads, Release, Storage, TokenKind,
};
use fencepost_core::system::{Budget, Config, State};
use fencepost_tests::walk::{config, find, for_each, tokens, walk, without_faults};

/// A row of the table, and which cells are known to be broken: one letter a column, as in `COLUMNS`.
struct Row {
    name: &'static str,
    mechanism: Mechanism,
    operations: u8,
    grants: u8,
    budget: Budget,
    broken: &'static str,
}

const COLUMNS: [(&str, Invariant); 6] = [
    ("SO", Invariant::NoStaleOverwrite),
    ("NI", Invariant::NoInterleaving),
    ("LU", Invariant::NoLostUpdate),
    ("AO", Invariant::AppliedOnce),
    ("SA", Invariant::SameAnswer),
    ("NA", Invariant::NewestAdmitted),
];

const ONE_OF_EACH: Budget = Budget {
    retries: 1,
    losses: 1,
    duplicates: 0,
    crashes: 0,
    failovers: 0,
    suspends: 0,
    skews: 0,
    renewals: 0,
    prunes: 0,
};

fn off(guard: Guard) -> Mechanism {
    Mechanism { guard, ..Mechanism::UNGUARDED }
}

fn ids(guard: Guard) -> Mechanism {
    Mechanism { operation_ids: OperationIds::InTransaction, ..off(guard) }
}

fn rows() -> Vec<Row> {
    let row = |name, mechanism, operations, broken| Row {
        name,
        mechanism,
        operations,
        grants: 2,
        budget: ONE_OF_EACH,
        broken,
    };
    let of_worker = Mechanism { holder_id: HolderId::Worker, ..ids(Guard::Holder) };
    let early = Mechanism { release: Release::Early, ..ids(Guard::Deadline) };
    vec![
        row("none, off", off(Guard::None), 1, "SO NI LU AO"),
        row("none", ids(Guard::None), 1, "SO NI LU"),
        row("client-check", ids(Guard::ClientCheck), 2, "SO NI LU"),
        row("max-seen, off", off(Guard::MaxSeen), 2, "NI LU AO SA"),
        row("max-seen", ids(Guard::MaxSeen), 2, "NI LU"),
        row("max-seen, reads count", Mechanism { counts: Counts::ReadsToo, ..ids(Guard::MaxSeen) }, 2, ""),
        row("greater-than", ids(Guard::GreaterThan), 2, "NI LU NA"),
        row("registered, off", off(Guard::Registered), 2, "LU AO SA"),
        row("registered, after guard", Mechanism { look_up: LookUp::AfterGuard, ..ids(Guard::Registered) }, 2, "SA"),
        row("registered", ids(Guard::Registered), 2, ""),
        row(
            "registered, read before",
            Mechanism { reads: Reads::BeforeRegistering, ..ids(Guard::Registered) },
            2,
            "NI LU",
        ),
        row("promise", ids(Guard::Promise), 2, ""),
        // A reads late as well: its write is then on the version that it read, though B has written before.
        row("row-version", ids(Guard::RowVersion), 1, "SO"),
        row("holder", ids(Guard::Holder), 2, ""),
        // A's second request for the lock, long on its way, names A the holder once more: what it wrote as the holder before
        // is admitted. It reads nothing as its own successor, since it never hears of that grant, and so nothing interleaves;
        // `a_worker_that_starts_again_is_taken_for_its_former_self` has the way that does.
        Row { grants: 3, ..row("holder of the worker", of_worker, 2, "SO LU") },
        row("deadline", ids(Guard::Deadline), 2, ""),
        row("deadline, early release", early, 1, "SO NI LU"),
        Row {
            budget: Budget { skews: 1, ..ONE_OF_EACH },
            ..row("deadline, a skew", ids(Guard::Deadline), 1, "SO NI LU")
        },
    ]
}

/// The lengths are those of the steps as they are here: to own the lock takes three (asked, asked for, heard), to register
/// three, to write and to know of it three. `ids` looks an operation up before the guard, where nothing else is said.
#[test]
fn each_guard_holds_and_breaks_what_the_table_says() {
    let rows = rows();
    let mut table = format!("{:24} ops grants", "");
    for (column, _) in COLUMNS {
        write!(table, " {column}").expect("a string takes any text");
    }
    table += "  states\n";
    let found = for_each(&rows, |row| {
        let config =
            Config { operations: [row.operations; 3], grants: row.grants, budget: row.budget, ..config(row.mechanism) };
        walk(&config, true)
    });
    for (Row { name, operations, grants, broken, .. }, found) in rows.iter().zip(found) {
        assert!(found.extent.is_complete(), "{name} runs into a limit: {:?}", found.extent.limits);
        write!(table, "{name:24} {operations:3} {grants:6}").expect("a string takes any text");
        for (column, invariant) in COLUMNS {
            let depth = found.broken.get(&invariant);
            assert_eq!(depth.is_some(), broken.contains(column), "{name}: {}", invariant.name());
            let depth = depth.map_or("·".to_owned(), u32::to_string);
            write!(table, " {depth:>2}").expect("a string takes any text");
        }
        writeln!(table, " {:7}", found.extent.states).expect("a string takes any text");
        let others = found.broken.keys().filter(|invariant| COLUMNS.iter().all(|(_, column)| column != *invariant));
        assert_eq!(others.count(), 0, "{name} breaks what has no column: {:?}", found.broken);
    }
    expect![[r#"
                                 ops grants SO NI LU AO SA NA  states
        none, off                  1      2 13 13 14  9  ·  ·   46233
        none                       1      2 13 13 14  ·  ·  ·   45405
        client-check               2      2 15 15 16  ·  ·  ·  158563
        max-seen, off              2      2  · 13 13  9 16  ·  166475
        max-seen                   2      2  · 13 14  ·  ·  ·  143635
        max-seen, reads count      2      2  ·  ·  ·  ·  ·  ·   64379
        greater-than               2      2  · 13 14  ·  · 10   54609
        registered, off            2      2  ·  · 16 12 18  ·  147977
        registered, after guard    2      2  ·  ·  ·  · 18  ·  135201
        registered                 2      2  ·  ·  ·  ·  ·  ·  134401
        registered, read before    2      2  · 19 20  ·  ·  ·  216565
        promise                    2      2  ·  ·  ·  ·  ·  ·  134401
        row-version                1      2 13  ·  ·  ·  ·  ·   43427
        holder                     2      2  ·  ·  ·  ·  ·  ·   85107
        holder of the worker       2      3 17  · 18  ·  ·  ·  121787
        deadline                   2      2  ·  ·  ·  ·  ·  ·  143429
        deadline, early release    1      2 15 15 16  ·  ·  ·  130071
        deadline, a skew           1      2 14 14 15  ·  ·  ·  215669
    "#]]
    .assert_eq(&table);
}

/// Under a name of the worker's own, what A wrote before it crashed is taken for what it writes since: it reads under its
/// newer grant, and its older write changes that before it acts on it.
#[test]
fn a_worker_that_starts_again_is_taken_for_its_former_self() {
    let budget = Budget { crashes: 1, ..Budget::default() };
    for (holder_id, broken) in [(HolderId::Worker, true), (HolderId::Grant, false)] {
        let mechanism = Mechanism { holder_id, ..ids(Guard::Holder) };
        let config = Config { workers: 1, attempts: 1, budget, ..config(mechanism) };
        let path = find(&config, State::new(&config), |moment| moment.broken.contains(&Invariant::NoInterleaving));
        assert_eq!(path.is_some(), broken, "{holder_id:?}");
        let starts_again = find(&config, State::new(&config), |moment| {
            moment.facts.iter().any(|fact| matches!(fact, Fact::Crashed { process: Process::Worker { .. } }))
        });
        assert!(starts_again.is_some());
    }
}

/// Tokens that do not increase: a guard that compares them is blind, or locks the newest owner out; one that goes by the
/// grant's own name, or by the version of the row, does not care.
#[test]
fn unsound_tokens_break_what_goes_by_tokens() {
    let failover = Budget { failovers: 1, ..Budget::default() };
    let sources: [(&str, Mechanism, Budget); 9] = [
        ("restored", Mechanism { storage: Storage::Restored, ..Mechanism::UNGUARDED }, failover),
        ("fails-over", Mechanism { storage: Storage::FailsOver, ..Mechanism::UNGUARDED }, failover),
        ("restored-with-bump", Mechanism { storage: Storage::RestoredWithBump, ..Mechanism::UNGUARDED }, failover),
        (
            "timestamp",
            Mechanism { token: TokenKind::Timestamp, ..Mechanism::UNGUARDED },
            Budget { skews: 1, ..Budget::default() },
        ),
        ("random", Mechanism { token: TokenKind::Random, ..Mechanism::UNGUARDED }, Budget::default()),
        ("wrapping", Mechanism { token: TokenKind::Wrapping, ..Mechanism::UNGUARDED }, Budget::default()),
        ("text", Mechanism { token: TokenKind::Text, ..Mechanism::UNGUARDED }, Budget::default()),
        ("unchecked", Mechanism { token: TokenKind::Unchecked, ..Mechanism::UNGUARDED }, Budget::default()),
        ("before-grant", Mechanism { mint: Mint::BeforeGrant, ..Mechanism::UNGUARDED }, Budget::default()),
    ];
    let guards = [Guard::MaxSeen, Guard::Registered, Guard::Promise, Guard::Holder, Guard::RowVersion];
    let cases: Vec<_> = sources
        .iter()
        .flat_map(|&(name, source, budget)| guards.map(|guard| (name, Mechanism { guard, ..source }, budget)))
        // The others do not compare tokens at all.
        .filter(|(_, mechanism, _)| mechanism.unmet().is_none())
        .collect();
    let found = for_each(&cases, |&(_, mechanism, budget)| {
        let mechanism = Mechanism { operation_ids: OperationIds::InTransaction, ..mechanism };
        let config = without_faults(mechanism);
        walk(&Config { budget, tokens: tokens(mechanism.token).unwrap_or(config.tokens), ..config }, true)
    });
    let mut table = String::new();
    for ((name, mechanism, _), found) in cases.iter().zip(found) {
        assert!(found.extent.is_complete(), "{name} runs into a limit: {:?}", found.extent.limits);
        let cell = |(column, invariant)| Some(format!("{column} {:2}", found.broken.get(&invariant)?));
        let cells: Vec<String> = COLUMNS.into_iter().filter_map(cell).collect();
        let cells = if cells.is_empty() { "·".to_owned() } else { cells.join(", ") };
        writeln!(table, "{name:19} {:12} {cells}", mechanism.guard.name()).expect("a string takes any text");
    }
    expect![[r#"
        restored            max-seen     SO 13, NI 13, LU 14
        restored            registered   NA 11
        restored            promise      NA 11
        restored            holder       ·
        restored            row-version  SO 13
        fails-over          max-seen     SO 13, NI 13, LU 14
        fails-over          registered   NA 11
        fails-over          promise      NA 11
        fails-over          holder       ·
        fails-over          row-version  SO 13
        restored-with-bump  max-seen     NI 13, LU 14
        restored-with-bump  registered   ·
        restored-with-bump  promise      ·
        restored-with-bump  holder       ·
        restored-with-bump  row-version  SO 13
        timestamp           max-seen     SO 14, NI 13, LU 14
        timestamp           registered   NA 12
        timestamp           promise      NA 12
        timestamp           holder       ·
        timestamp           row-version  SO 13
        random              max-seen     SO 13, LU 14, NA 13
        random              registered   SO 19, NA 11
        random              promise      SO 19, NA 11
        random              holder       ·
        random              row-version  SO 13
        wrapping            max-seen     SO 13, LU 14, NA 13
        wrapping            registered   SO 19, NA 11
        wrapping            promise      SO 19, NA 11
        wrapping            holder       ·
        wrapping            row-version  SO 13
        text                max-seen     SO 13, LU 14, NA 13
        text                registered   SO 19, NA 11
        text                promise      SO 19, NA 11
        unchecked           max-seen     SO 19, NI 19, LU 20
        unchecked           registered   NA 17
        unchecked           promise      NA 17
        unchecked           holder       ·
        unchecked           row-version  SO 19
        before-grant        max-seen     SO 19, NI 19, LU 20, NA 19
        before-grant        registered   SO 25, NA 17
        before-grant        promise      SO 25, NA 17
        before-grant        holder       ·
        before-grant        row-version  SO 19
    "#]]
    .assert_eq(&table);
}
