/**
 * A *fill* runs a query once for each of some past days, as the value of a date parameter, so that backtests have a history. Each result
 * *stands for* its day, at midnight UTC.
 */
export const fillStates = ['due', 'completed', 'stopped', 'failed'] as const
export type FillState = (typeof fillStates)[number]

export interface HistoryFill {
  id: string
  parameter: string
  state: FillState
  dayCount: number
  /** Days that are done, those that failed included. */
  doneCount: number
  failedCount: number
  reason: string | null
}

/** A fill with its next day, claimed by a worker. */
export interface ClaimedFill {
  id: string
  leaseNumber: number
  /** For this day. */
  attemptNumber: number
  organizationId: string
  referenceId: string
  shortId: string
  parameter: string
  /** As 2026-01-31. */
  day: string
  requestedBy: string
  requestedAt: Date
}

export type FillDecision =
  | { state: 'filled'; runId: string }
  /** The query failed for this day. The others follow. */
  | { state: 'missed'; reason: string }
  | { state: 'due'; waitMs: number; reason: string }
  | { state: 'given_back' }
  | { state: 'failed'; reason: string }

/** So that one click does not keep a database busy for hours. */
export const fillDaysMax = 100
