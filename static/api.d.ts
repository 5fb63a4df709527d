/** Runs every row of the scenario that `text` describes. Throws a `ScenarioError`. */
export function simulate(text: string): Simulation;

/**
 * Searches everything that may happen in one row of the scenario that `text` describes: the row of this name, else the
 * first. It stops at `maxStates` states or a few more, else at 16 million, or where they take 1 GiB. It returns when it
 * has ended: what is to stay responsive meanwhile calls it in a worker. Throws a `ScenarioError`, or an `UnknownRow`.
 */
export function explore(text: string, row?: string | null, maxStates?: number | null): Exploration;

/**
 * What `explore` does, in slices: whoever drives it can show how far it has come, and call it off. It finds the same,
 * however it is sliced. Its memory is given back by `free()`, after which it is of no more use.
 */
export class Search {
  /** Takes what `explore` takes, and throws what that throws. */
  constructor(text: string, row?: string | null, maxStates?: number | null);
  /** Goes through so many states more, or a few more than that, and says how far it has come. */
  advance(states: number): Progress;
  /** How far it has come. */
  progress(): Progress;
  /** Calls it off. What it has found stays found. */
  cancel(): void;
  /** What it has found so far. */
  report(): Exploration;
  /** Gives its memory back. */
  free(): void;
}

/** The texts that search one step further than `text` does, each with another bound raised by one. Throws a `ScenarioError`. */
export function widen(text: string): Widened[];

/** The scenarios that come with Fencepost, in the order in which one question leads to the next. */
export function corpus(): CorpusEntry[];

/** Whole microseconds: since the beginning of the run, or as a length. */
export type Micros = number;
/** A worker, by its place in `workers`, from 0. */
export type WorkerId = number;
/** A grant of the lock, by its place in the order of grants, from 0. */
export type GrantId = number;
/** A business operation, the same across all attempts at it. */
export type OperationId = number;
/** How often the destination's row has been changed. */
export type Version = number;
/** Which try of a request, from 1. */
export type Attempt = number;
/** A copy of the destination: 0 or 1. `replica` is left out where it is 0. */
export type ReplicaId = number;
/** How often a worker has been started again after a crash. Left out where it is 0. */
export type Incarnation = number;
/** Which stretch of a lease: 0 from the grant, one more with each renewal. */
export type Term = number;
/** A token, by its place among those that a run can hand out. */
export type TokenPlace = number;

/** What `simulate`, `explore`, `Search` and `widen` throw: a mistake in the text, at its place. */
export interface ScenarioError {
  /** From 1. */
  line: number;
  /** From 1, in characters. */
  column: number;
  message: string;
  /** What could stand there, where that can be listed. */
  expected: string[];
}

/** What `explore` and `Search` throw where the scenario has no row of that name. */
export interface UnknownRow {
  message: string;
  /** The names of its rows. */
  expected: string[];
}

/** How far a search has come. */
export interface Progress {
  /** Whether there is more to go through; else `report` says how it ended. */
  searching: boolean;
  /** The states found. */
  states: number;
  /** The choices made in them. */
  transitions: number;
  /** How many choices lead to the states that are being gone through. */
  depth: number;
  /** How many of the states found have not been gone through yet. */
  frontier: number;
  /** What it has found broken so far, in the order in which it was found: by the least number of choices. */
  broken: Invariant[];
}

/** A scenario that is searched one step further. */
export interface Widened {
  /** The bound that is raised, as `bounds` has it then: “3 grants”. */
  bound: string;
  /** The scenario with the new number in its `explore` line, and all else as it was. */
  text: string;
}

/** What a search of one row has found. It is the same wherever it runs. */
export interface Exploration {
  row: string;
  /** The mechanism in a few words. */
  label: string;
  /** The bounds within which every schedule was looked at, in words, a string each: “2 grants”. */
  bounds: string[];
  states: number;
  /** The choices made in them. */
  transitions: number;
  /** How many choices lead to the states that were gone through last. */
  depth: number;
  /** Whether every choice was made in every state. Else what is not among `broken` may be broken all the same. */
  complete: boolean;
  /** What kept it from being complete: "states", "memory", "cancelled", "state-size" or a `Limit`; by commas where it is several. */
  stoppedAt: string | null;
  /** The memory in which the states were kept. */
  bytes: number;
  broken: {
    invariant: Invariant;
    /** What would hold, as a sentence. */
    holdsWhen: string;
    /** The least number of choices that breaks it. */
    steps: number;
    /** What each of these choices brings about, in sentences: a string a choice. */
    told: string[];
    /** A scenario that breaks it so by the clock, as a text for `simulate`; null where no times bring that about. */
    scenario: string | null;
  }[];
  reached: {
    situation: Situation;
    /** The least number of choices that reaches it. */
    steps: number;
  }[];
}

/** A scenario that comes with Fencepost. */
export interface CorpusEntry {
  path: string;
  name: string;
  /** The question that it helps to answer. */
  question: string;
  title: string;
  text: string;
}

/** A scenario and what came of it under each of its rows. */
export interface Simulation {
  scenario: Scenario;
  /** One for each row, in the order of the text. */
  runs: Run[];
  /** The runs told as one list. */
  story: Line[];
  /** What a figure shows. */
  timeline: Timeline;
  /** What came out, in one or a few sentences. */
  headline: string;
  /** Where the runs part, if they do. */
  difference: Difference | null;
}

export interface Scenario {
  name: string;
  /** A string a paragraph; the first is the title. */
  description: string[];
  sources: string[];
  workers: string[];
  parameters: Parameter[];
}

export interface Parameter {
  name: string;
  value: Micros;
  /** The least and the greatest value. */
  range: [Micros, Micros] | null;
  /** The step by which people change it. */
  step: Micros;
}

export interface Run {
  name: string;
  mechanism: Mechanism;
  /** The mechanism in a few words. */
  label: string;
  verdict: Verdict;
  facts: Entry[];
  violations: Violation[];
  sightings: Sighting[];
  /** Whether each invariant held throughout. */
  holds: Record<Invariant, boolean>;
  /**
   * The faults of the scenario that did not strike, each as a line of it: what they name does not come in this row, or
   * not before its end.
   */
  notStruck: string[];
  /** The limit of the model at which the run stopped before its end. */
  stoppedAt: Limit | null;
  /** The trace's XXH64, as 16 hexadecimal digits: the same wherever the same model runs. */
  hash: string;
}

export type Limit = "messages" | "grants" | "tokens" | "pending" | "renewals" | "choices";

/**
 * The switches of one row, as the scenario language has them; the first value of each is its default. All but the first
 * three are left out where they are at their default.
 */
export interface Mechanism {
  /** The rule by which the destination admits a write. */
  guard:
    | "none"
    | "client-check"
    | "self-check"
    | "max-seen"
    | "greater-than"
    | "row-version"
    | "deadline"
    | "holder"
    | "promise"
    | "registered";
  /** What the destination does with operation IDs. */
  "operation-ids": "off" | "in-transaction" | "after-transaction";
  /** When the destination looks an operation up among those it has applied. */
  "look-up": "before-guard" | "after-guard";
  /** Whom `client-check` asks. */
  asks?: "lock" | "lock-replica" | "destination";
  /** What `max-seen` goes by. */
  counts?: "writes" | "reads-too";
  /** What a worker does whose version of the row is no longer the current one. */
  "on-conflict"?: "give-up" | "redo";
  /** Whose name the `holder` guard compares. */
  "holder-id"?: "grant" | "worker";
  /** What a worker does about a write whose reply does not come. */
  "no-reply"?: "same-id" | "new-id" | "failed" | "look-up";
  /** How the destination carries a write out. */
  transaction?: "atomic" | "split";
  /** What becomes of the control row when the destination restarts. */
  "control-row"?: "durable" | "fails-closed" | "fails-open" | "re-registered";
  /** How a worker reads the row. */
  reads?: "plain" | "current" | "registering" | "before-registering";
  /** How many copies of the destination take writes, and how they are brought together. */
  replicas?: "one" | "last-write" | "highest-epoch";
  /** What number the issuer hands out with a grant. */
  token?: "epoch" | "timestamp" | "random" | "wrapping" | "text" | "declared" | "unchecked";
  /** When the token is made. */
  mint?: "with-grant" | "before-grant";
  /** What the issuer remembers when it comes back. */
  issuer?: "durable" | "restored" | "restored-with-bump" | "fails-over";
  /** How those that want the lock learn that it is free. */
  candidates?: "notified" | "poll" | "watch" | "session";
  /** Who renews the lease while the worker works. */
  renewal?: "off" | "worker" | "thread";
  /** From when on the worker counts its lease. */
  "lease-from"?: "request" | "reply";
  /** By which clock the lease ends. */
  "lease-by"?: "monotonic" | "wall" | "written" | "before-call";
  /** What a worker does that learns that its lease is lost. */
  "on-loss"?: "stop" | "slow" | "ignore";
  /** What a release ends. */
  release?: "own" | "unconditional" | "early";
  /** What an operation does outside the destination. */
  effect?: "none" | "mail" | "payment" | "file";
  /** By which way the effect comes about. */
  through?: "direct" | "outbox";
  /** What a payment's idempotency key does. */
  key?: "off" | "kept" | "pruned";
  /** What a worker makes of an effect that it has no answer about. */
  "effect-outcome"?: "unknown" | "failed" | "looked-up";
  /** How a file's reference is switched. */
  switched?: "unconditionally" | "conditionally" | "in-two-steps";
}

export interface Verdict {
  tone: "calm" | "kept" | "impaired" | "broken" | "open";
  label: string;
  effect: string;
  /** The same as a clause: “A’s report replaces B’s newer one”. */
  clause: string;
  sentence: string;
  /** The fact that decided it, by its index in the run's facts. */
  fact: number | null;
}

export type Invariant =
  | "no-stale-overwrite"
  | "no-lost-update"
  | "applied-once"
  | "same-answer"
  | "epochs-increase"
  | "recognized-never-decreases"
  | "no-interleaving"
  | "newest-admitted"
  | "effect-once"
  | "no-stale-effect"
  | "release-own"
  | "no-stale-read";

export interface Violation {
  /** By its index in the run's facts. */
  fact: number;
  invariant: Invariant;
  by: GrantId;
  against: GrantId | null;
  operation: OperationId | null;
}

export interface Sighting {
  /** By its index in the run's facts. */
  fact: number;
  situation: Situation;
}

export type Situation =
  | "two-believers"
  | "handover"
  | "stale-write-rejected"
  | "late-write-applied"
  | "expired-write-applied"
  | "write-replayed"
  | "reply-lost"
  | "unknown-outcome"
  | "check-passed"
  | "check-failed"
  | "lease-lost"
  | "lease-renewed"
  | "conflict-found"
  | "deadline-missed"
  | "effect-seen"
  | "effect-repeated"
  | "effect-found"
  | "crash-seen"
  | "lock-service-restored"
  | "late-release";

export interface Difference {
  at: Micros;
  /** For each run the fact by its index, or null where it has nothing in its place. */
  facts: (number | null)[];
}

/** A fact of a simulation: the run and the fact, by their indices. */
export interface FactRef {
  run: number;
  fact: number;
}

export interface Line {
  at: Micros;
  text: string;
  /** The fact in each run where it happened. */
  facts: FactRef[];
}

/** A fact and when it happened. Names and values are those of the trace format: what is exported can be imported. */
export type Entry = { at: Micros } & Fact;

/** A grant with the number that was handed out with it: the epoch, where the lock service is sound. */
export interface Claim {
  grant: GrantId;
  epoch: bigint;
}

export type Fact =
  // Of the network.
  | { fact: "sent" | "delivered" | "held" | "lost" | "duplicated"; message: Message }
  // Of the lock service.
  | { fact: "minted"; worker: WorkerId; epoch: bigint }
  | { fact: "granted" | "granted-again"; worker: WorkerId; claim: Claim }
  | { fact: "queued" | "denied"; worker: WorkerId }
  | { fact: "renewed"; claim: Claim; term: Term }
  | { fact: "renewal-refused" | "lease-expired" | "released" | "release-ignored"; claim: Claim }
  | { fact: "released-by-another"; claim: Claim; by: Claim }
  | { fact: "issuer-restored"; grant: GrantId }
  | { fact: "replica-caught-up" }
  // Of a worker.
  | { fact: "acquired" | "local-deadline-passed" | "declared"; worker: WorkerId; claim: Claim }
  | { fact: "reckoned"; worker: WorkerId; claim: Claim; expiry: { worker: WorkerId; micros: number } }
  | { fact: "extended"; worker: WorkerId; claim: Claim; term: Term }
  | { fact: "read"; worker: WorkerId; claim: Claim; operation: OperationId; version: Version; replica?: ReplicaId }
  | {
      fact: "read-refused";
      worker: WorkerId;
      claim: Claim;
      operation: OperationId;
      rejection: Rejection;
      current: bigint | null;
    }
  | { fact: "checked"; worker: WorkerId; claim: Claim; owns: boolean }
  | { fact: "timed-out" | "reply-ignored"; worker: WorkerId; request: Request }
  | { fact: "concluded"; worker: WorkerId; claim: Claim; operation: OperationId; conclusion: Conclusion }
  | { fact: "stopped"; worker: WorkerId; claim: Claim; reason: Stop }
  | { fact: "gave-up"; worker: WorkerId }
  // Of the destination.
  | { fact: "recognized" | "recognized-again"; claim: Claim; replica?: ReplicaId }
  | { fact: "registration-refused"; claim: Claim; rejection: Rejection; current: bigint | null }
  | { fact: "admitted" | "recorded" | "replayed"; claim: Claim; operation: OperationId; attempt: Attempt }
  | {
      fact: "applied";
      claim: Claim;
      operation: OperationId;
      attempt: Attempt;
      snapshot: Version;
      version: Version;
      replica?: ReplicaId;
    }
  | {
      fact: "rejected";
      claim: Claim;
      operation: OperationId;
      attempt: Attempt;
      rejection: Rejection;
      current: bigint | null;
    }
  | { fact: "looked-up"; claim: Claim; operation: OperationId; applied: boolean }
  | { fact: "deadline-passed"; claim: Claim }
  | { fact: "control-row-lost" }
  | { fact: "merged"; into: ReplicaId; version: Version; data_of?: GrantId }
  // Of what is outside.
  | { fact: "effected"; claim: Claim; operation: OperationId; snapshot: Version }
  | { fact: "effect-repeated" | "effect-refused"; claim: Claim; operation: OperationId }
  | { fact: "effect-looked-up"; claim: Claim; operation: OperationId; effected: boolean }
  | { fact: "effect-checked"; worker: WorkerId; claim: Claim; operation: OperationId; clear: boolean }
  | { fact: "outbox-cleared" | "key-pruned"; operation: OperationId }
  // Of processes and their clocks.
  | ({ fact: "crashed" } & Process)
  | { fact: "froze" | "suspended" | "stuck"; worker: WorkerId; length: Micros }
  | { fact: "thawed" | "resumed" | "unstuck"; worker: WorkerId }
  | { fact: "clock-skewed" }
  | { fact: "compute-began" | "compute-ended"; worker: WorkerId; operation: OperationId };

/** What can crash. */
export type Process = { process: "worker"; worker: WorkerId } | { process: "lock-service" | "destination" };

/** What a worker takes for the truth about an operation. */
export type Conclusion = "done" | "refused" | "unknown" | "not-sent" | "failed" | "effect-failed";

/** Why a worker no longer believes that it owns the lock. */
export type Stop = "finished" | "fenced" | "check-failed" | "unanswered" | "lease-lost";

/** Why a destination refuses. */
export type Rejection =
  | "stale-epoch"
  | "epoch-ahead"
  | "other-grant"
  | "row-absent"
  | "version-conflict"
  | "deadline-passed";

/** What is asked. */
export type Call =
  | { call: "mint"; incarnation?: Incarnation }
  | { call: "acquire"; incarnation?: Incarnation; minted?: TokenPlace }
  | { call: "renew"; grant: GrantId; term: Term }
  | { call: "register" | "release"; grant: GrantId }
  // Without a term where the lease has not been renewed.
  | { call: "write"; grant: GrantId; operation: OperationId; snapshot: Version; term?: Term }
  // Without `of` where it asks after the write.
  | { call: "look-up"; grant: GrantId; operation: OperationId; of?: "effect" | "effect-at-last" }
  | { call: "effect"; grant: GrantId; operation: OperationId; snapshot: Version };

export type Request = { worker: WorkerId; attempt: Attempt } & Call;

/** What is answered. */
export type Answer =
  | { answer: "minted"; token: TokenPlace }
  | { answer: "granted"; grant: GrantId }
  | { answer: "refused"; rejection: Rejection }
  | { answer: "found"; applied: boolean }
  | { answer: "effect-found"; effected: boolean }
  | {
      answer:
        | "taken"
        | "renewed"
        | "not-renewed"
        | "recognized"
        | "applied"
        | "effected"
        | "not-effected"
        | "released";
    };

export type Message = ({ leg: "request" } & Request) | ({ leg: "reply"; request: Request } & Answer);

/** What a figure shows, in instants. What all rows share is told once, as the first row has it. */
export interface Timeline {
  label: string;
  end: Micros;
  /** Stretches of nothing that are left out of the axis, since all else would be too small to see. */
  gaps: { from: Micros; to: Micros }[];
  leases: {
    worker: WorkerId;
    name: string;
    epoch: bigint;
    length: Micros;
    from: Micros;
    to: Micros;
    /** How it ended: by its time, by its owner, by another's release, or because the lock service forgot it. */
    end: "expired" | "released" | "taken-away" | "forgotten" | "open";
    /** When it was renewed. */
    renewals: { at: Micros; label: string; fact: FactRef }[];
    label: string;
    fact: FactRef;
  }[];
  /** What else happens in the lock service's lane. */
  lockEvents: Happening[];
  workers: {
    worker: WorkerId;
    name: string;
    beliefs: {
      epoch: bigint;
      from: Micros;
      to: Micros;
      stop: Stop | null;
      /** The true end of the grant, where the belief outlasts it. */
      outlasts: Micros | null;
      /** When, in true time, the worker's own clock says that the lease ends. */
      reckoned: Micros | null;
      label: string;
      fact: FactRef;
    }[];
    waits: { from: Micros; to: Micros; asked: boolean; label: string }[];
    computes: Stretch[];
    /** While it, or its work, stands still. */
    halts: (Stretch & { kind: "freeze" | "suspend" | "stick" | "crash" })[];
    events: Happening[];
    points: {
      at: Micros;
      point:
        | "mint"
        | "acquire"
        | "register"
        | "read"
        | "compute"
        | "check"
        | "effect-look-up"
        | "effect"
        | "publish"
        | "look-up"
        | "release";
      label: string;
      fact: FactRef;
    }[];
    /** Where it believes in other rows and not in the first. */
    elsewhere: { from: Micros; to: Micros; rows: number[]; label: string }[];
  }[];
  /** Where two or more workers believe at once. */
  bands: { from: Micros; to: Micros; believers: number; label: string; fact: FactRef }[];
  /** Handovers and their parts: what each is, and when it ends. */
  handovers: { from: Micros; parts: [string, Micros][]; label: string; fact: FactRef }[];
  rows: {
    name: string;
    mechanism: string;
    verdict: Verdict;
    steps: {
      from: Micros;
      /** Until when, if it is lost with the control row. */
      lost: Micros | null;
      worker: WorkerId;
      epoch: bigint;
      /** Else it is the highest epoch seen on a write. */
      registered: boolean;
      label: string;
      fact: FactRef;
    }[];
    marks: Mark[];
    /** Writes whose check, change and record came apart. */
    splits: {
      worker: WorkerId;
      checked: Micros | null;
      applied: Micros | null;
      recorded: Micros | null;
      to: Micros;
      label: string;
      fact: FactRef;
    }[];
    events: Happening[];
    /** What comes about outside, where the mechanism has effects there. */
    outside: { name: string; relayed: boolean; marks: Mark[]; events: Happening[] } | null;
    /** When that happened which decides, if no mark shows it. */
    decided: Micros | null;
  }[];
  arrows: {
    worker: WorkerId;
    /** Whether it goes to, or comes from, the lock service; else a destination. */
    toLock: boolean;
    /** Whether it goes outside, or comes from there. */
    outside: boolean;
    reply: boolean;
    ways: {
      row: number;
      sent: Micros;
      ended: Micros;
      end: "arrived" | "held" | "lost";
      late: boolean;
      texts: string[];
      label: string;
      fact: FactRef;
    }[];
  }[];
  difference: Micros | null;
  /** Parameters that are lengths on the axis. */
  lengths: {
    parameter: string;
    label: string;
    zero: Micros;
    value: Micros;
    lane: "lock" | { worker: WorkerId } | { row: number };
  }[];
}

/** What became of a write, of an effect, or of a question. */
export interface Mark {
  at: Micros;
  fate:
    | "applied"
    | "late"
    | "violating"
    | "rejected"
    | "replayed"
    | "not-sent"
    | "asked"
    | "effected"
    | "looked-up";
  worker: WorkerId;
  epoch: bigint;
  texts: string[];
  short: string | null;
  decisive: boolean;
  label: string;
  fact: FactRef;
}

/** Something that happens in a lane and has a sign of its own. */
export interface Happening {
  at: Micros;
  sign: "broken" | "impaired" | "crash" | "lost" | "restored" | "clock" | "refused" | "noted";
  text: string;
  label: string;
  fact: FactRef | null;
}

/** A stretch of a worker's time. */
export interface Stretch {
  from: Micros;
  to: Micros;
  label: string;
  fact: FactRef;
}
