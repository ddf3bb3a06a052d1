/**
 * The change feed of a reference: terms.
 *
 * - A reference *publishes changes* while its feed is on. Every result of its own runs (its SQL with the default values of its parameters)
 *   that differs from the one before is a *change*, numbered from 1 without gaps.
 * - The *head* of a feed is the result that its newest change leads to, and that the next result is compared with.
 * - A *key* is the columns that identify a row: chosen, or inferred from the data.
 * - A *replacement* is a change between results with different columns: all rows are removed, and all rows are added.
 */
export interface ChangeFeed {
  publishesChanges: boolean
  /** Null until there is a result to infer them from. */
  keyColumns: string[] | null
  keyChoice: 'chosen' | 'inferred'
  /** The number of the newest change; 0 before the first one. */
  latestNumber: number
  problem: FeedProblem | null
}

/** What is wrong with the last comparison. The feed goes on. */
export const feedProblems = ['key_not_unique', 'key_column_missing', 'comparison_failed', 'result_not_kept'] as const
export type FeedProblem = (typeof feedProblems)[number]

export interface ReferenceChange {
  number: number
  /** When the run with the later result completed. */
  at: Date
  fromRunId: string
  toRunId: string
  fromResultHash: string
  toResultHash: string
  keyColumns: string[]
  isKeyUnique: boolean
  isReplacement: boolean
  added: number
  removed: number
  changed: number
}

/** A result in the chain of a feed. */
export interface FeedResult {
  runId: string
  resultHash: string
  rowCount: number
}

/** A feed with a result to compare, and the lease of the worker that does it. */
export interface ClaimedFeed {
  /** The reference's id. */
  id: string
  leaseNumber: number
  attemptNumber: number
  organizationId: string
  chosenKeyColumns: string[] | null
  keyColumns: string[] | null
  /** Null before the first result. */
  head: FeedResult | null
  /** The result that is next in the queue. */
  next: { position: number; runId: string }
}

/** How two results differ. */
export interface FeedComparison {
  keyColumns: string[]
  isKeyUnique: boolean
  isReplacement: boolean
  added: number
  removed: number
  changed: number
  problem: FeedProblem | null
  /** The key of the later result, for the next comparison. Null: it is inferred then. */
  nextKeyColumns: string[] | null
  /** A few changed rows, each as JSON. */
  sampleRows: string[]
}

/** What becomes of the result that is next in the queue. */
export type FeedDecision =
  /** It differs from the head: the next number is its. */
  | { state: 'changed'; to: FeedResult & { at: Date }; comparison: FeedComparison }
  /** It equals the head. */
  | { state: 'unchanged'; to: FeedResult }
  /** It is the first one, so there is nothing to compare it with. */
  | { state: 'started'; to: FeedResult; keyColumns: string[]; problem: FeedProblem | null }
  /** It does not belong to the feed: its run had other values, or it was not kept. */
  | { state: 'passed'; reason: string; problem: FeedProblem | null }
  | { state: 'due'; waitMs: number; reason: string }
  /** The attempt does not count. */
  | { state: 'given_back' }

/** The rows of an event, so that it stays small. */
export const sampleRowsMax = 20
export const sampleBytesMax = 32 * 1024

export const keyColumnsMax = 20
