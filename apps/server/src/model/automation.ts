import type { AgentKind, AgentRun } from './agent-run.ts'
import type { AlertCondition, AlertState } from './alert.ts'

/**
 * An *automation* defines when an agent reports on which references.
 *
 * - Its *schedule* is a cron expression in a time zone. A time that has come is *due*; exactly one worker claims it. Times that
 *   passed while no worker was available give one late run, which says so.
 * - Its *condition* is about the result of one reference. Every new result of that reference is evaluated, regardless of who requested it,
 *   once. With a schedule as well, a due time does not start a run but requests a new result to evaluate.
 * - Without either it runs on request: manually in the pages, or through `POST /api/automations/:id/runs`. Any member may request a
 *   run of any automation, even a paused one: pausing only stops automatic runs.
 *
 * It has one pending or running run at a time, which the database enforces, not memory.
 */
export interface Automation {
  id: string
  organizationId: string
  name: string
  instructions: string
  agent: AgentKind
  /** shortIds, in the given order, without references deleted since. */
  references: string[]
  schedule: Schedule | null
  condition: Condition | null
  /** The last finding of the condition; null before the first. */
  conditionState: ConditionState | null
  /** For an alert, after its first result. */
  alertState: AlertState | null
  /** An alert sends no messages before this time. */
  snoozedUntil: Date | null
  enabled: boolean
  /** Its runs fail if their summary has a figure that is not proven. */
  strict: boolean
  nextDueAt: Date | null
  createdBy: string
  createdAt: Date
  updatedAt: Date
}

/** An automation with its latest run; null before the first one. */
export interface AutomationInFull extends Automation {
  latestRun: Pick<AgentRun, 'id' | 'status' | 'isStopped' | 'requestedAt' | 'endedAt' | 'chatShortId'> | null
}

export interface Schedule {
  /** Five fields: minute, hour, day of month, month, day of week. */
  cron: string
  /** An IANA name such as Europe/Berlin. */
  timeZone: string
}

export const comparisons = ['>', '>=', '<', '<=', '=', '!='] as const
export type Comparison = (typeof comparisons)[number]

/** `RunCondition` starts runs; an alert has a state as well, and sends messages about it. */
export type Condition = RunCondition | AlertCondition

/**
 * A result meets a condition of kind
 * - `row_count` if its number of rows compares this way with the number;
 * - `value` if the column's value in some row does;
 * - `changed` if it differs from the previous result (the first result does not count as a change).
 *
 * A run starts when a result meets the condition and the previous one did not; with `everyTime`, whenever a result meets it. Every
 * change counts separately, so for `changed` the two are the same.
 */
export type RunCondition = { reference: string; everyTime?: boolean } & (
  | { kind: 'row_count'; comparison: Comparison; number: number }
  | { kind: 'value'; column: string; comparison: Comparison; number: number }
  | { kind: 'changed' }
)

export interface ConditionState {
  /** The query run whose result was evaluated; null before the first one. */
  runId: string | null
  /** The hash of that result; null if `runId` is. */
  resultHash: string | null
  isMet: boolean
  /** ISO 8601. */
  judgedAt: string
  /** What was found, or why it could not be evaluated. */
  finding: string
}
