/** Runs every row of the scenario that `text` describes. Throws a `ScenarioError`. */
export function simulate(text: string): Simulation;

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

/** What `simulate` throws: a mistake in the text, at its place. */
export interface ScenarioError {
  /** From 1. */
  line: number;
  /** From 1, in characters. */
  column: number;
  message: string;
  /** What could stand there, where that can be listed. */
  expected: string[];
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
  /** The limit of the model at which the run stopped before its end. */
  stoppedAt: "messages" | "grants" | "choices" | null;
  /** The trace's XXH64, as 16 hexadecimal digits: the same wherever the same model runs. */
  hash: string;
}

export interface Mechanism {
  guard: "none" | "client-check" | "max-seen" | "registered";
  "operation-ids": "off" | "in-transaction";
  "look-up": "before-guard" | "after-guard";
}

export interface Verdict {
  tone: "calm" | "kept" | "broken" | "open";
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
  | "recognized-never-decreases";

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
  situation:
    | "two-believers"
    | "handover"
    | "stale-write-rejected"
    | "late-write-applied"
    | "write-replayed"
    | "reply-lost"
    | "unknown-outcome"
    | "check-passed"
    | "check-failed";
}

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

/** A grant with the epoch that was handed out with it. */
export interface Claim {
  grant: GrantId;
  epoch: bigint;
}

export type Fact =
  | { fact: "sent" | "delivered" | "held" | "lost"; message: Message }
  | { fact: "granted" | "granted-again" | "acquired"; worker: WorkerId; claim: Claim }
  | { fact: "queued" | "gave-up" | "thawed"; worker: WorkerId }
  | { fact: "lease-expired" | "released" | "release-ignored" | "recognized" | "recognized-again"; claim: Claim }
  | { fact: "reckoned"; worker: WorkerId; claim: Claim; expiry: { worker: WorkerId; micros: number } }
  | { fact: "read"; worker: WorkerId; claim: Claim; operation: OperationId; version: Version }
  | { fact: "checked"; worker: WorkerId; claim: Claim; owns: boolean }
  | { fact: "timed-out" | "reply-ignored"; worker: WorkerId; request: Request }
  | {
      fact: "concluded";
      worker: WorkerId;
      claim: Claim;
      operation: OperationId;
      conclusion: "done" | "refused" | "unknown" | "not-sent";
    }
  | { fact: "stopped"; worker: WorkerId; claim: Claim; reason: Stop }
  | { fact: "registration-refused"; claim: Claim; rejection: Rejection; current: bigint | null }
  | {
      fact: "applied";
      claim: Claim;
      operation: OperationId;
      attempt: number;
      snapshot: Version;
      version: Version;
    }
  | {
      fact: "rejected";
      claim: Claim;
      operation: OperationId;
      attempt: number;
      rejection: Rejection;
      current: bigint | null;
    }
  | { fact: "replayed"; claim: Claim; operation: OperationId; attempt: number }
  | { fact: "froze"; worker: WorkerId; length: Micros }
  | { fact: "compute-began" | "compute-ended"; worker: WorkerId; operation: OperationId };

export type Stop = "finished" | "fenced" | "check-failed" | "unanswered";

export type Rejection = "stale-epoch" | "epoch-ahead" | "other-grant" | "row-absent";

export type Request = { worker: WorkerId; attempt: number } & (
  | { call: "acquire" }
  | { call: "register" | "release"; grant: GrantId }
  | { call: "write"; grant: GrantId; operation: OperationId; snapshot: Version }
);

export type Message =
  | ({ leg: "request" } & Request)
  | ({ leg: "reply"; request: Request } & (
      | { answer: "granted"; grant: GrantId }
      | { answer: "recognized" | "applied" | "released" }
      | { answer: "refused"; rejection: Rejection }
    ));

/** What a figure shows, in instants. What all rows share is told once, as the first row has it. */
export interface Timeline {
  label: string;
  end: Micros;
  leases: {
    worker: WorkerId;
    name: string;
    epoch: bigint;
    length: Micros;
    from: Micros;
    to: Micros;
    end: "expired" | "released" | "open";
    label: string;
    fact: FactRef;
  }[];
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
    freezes: Stretch[];
    points: {
      at: Micros;
      point: "acquire" | "register" | "read" | "compute" | "check" | "publish" | "release";
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
      worker: WorkerId;
      epoch: bigint;
      /** Else it is the highest epoch seen on a write. */
      registered: boolean;
      label: string;
      fact: FactRef;
    }[];
    marks: {
      at: Micros;
      fate: "applied" | "late" | "violating" | "rejected" | "replayed" | "not-sent" | "asked";
      worker: WorkerId;
      epoch: bigint;
      texts: string[];
      short: string | null;
      decisive: boolean;
      label: string;
      fact: FactRef;
    }[];
  }[];
  arrows: {
    worker: WorkerId;
    /** Whether it goes to, or comes from, the lock service; else a destination. */
    toLock: boolean;
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

/** A stretch of a worker's time. */
export interface Stretch {
  from: Micros;
  to: Micros;
  label: string;
  fact: FactRef;
}
