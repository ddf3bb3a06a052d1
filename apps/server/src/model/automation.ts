import type { AgentKind, AgentRun } from './agent-run.ts'

/**
 * An *automation* has an agent look at references, and says when.
 *
 * - Its *schedule* is a cron expression in a time zone. A time that has come is *due*; exactly one worker claims it. Times that
 *   passed while nobody could attend to them are one run, late, which says so.
 * - Its *condition* speaks about the result of one reference. Every new result of that reference, whoever asked for it, is
 *   judged once. With a schedule beside it, a due time does not begin a run but asks for a new result to judge.
 * - Without either it runs when somebody asks: by hand in the pages, or through `POST /api/automations/:id/runs`. Anybody may ask
 *   for a run of any automation, also of one that is paused: pausing stops what it does by itself.
 *
 * It has one pending or running run at a time, and the database holds that, not memory.
 */
export interface Automation {
  id: string
  organizationId: string
  name: string
  instructions: string
  agent: AgentKind
  /** shortIds, in the order in which they were named. One that has been deleted since is not among them. */
  references: string[]
  schedule: Schedule | null
  condition: Condition | null
  /** What the condition found the last time; null before the first. */
  conditionState: ConditionState | null
  enabled: boolean
  nextDueAt: Date | null
  createdBy: string
  createdAt: Date
  updatedAt: Date
}

/** With how it went the last time, or goes now; null before the first run. */
export interface AutomationInFull extends Automation {
  latestRun: Pick<AgentRun, 'id' | 'status' | 'requestedAt' | 'endedAt' | 'chatShortId'> | null
}

export interface Schedule {
  /** Five fields: minute, hour, day of month, month, day of week. */
  cron: string
  /** An IANA name, as Europe/Berlin. */
  timeZone: string
}

export const comparisons = ['>', '>=', '<', '<=', '=', '!='] as const
export type Comparison = (typeof comparisons)[number]

/**
 * Met by a result:
 * - `row_count`: its number of rows compares so with the number;
 * - `value`: some row's value in the column does;
 * - `changed`: it is not the same as the result before it (the first one changes nothing).
 *
 * A run begins when a result meets the condition and the one before it did not; with `everyTime`, whenever one meets it. Each
 * change is one of its own, so for `changed` the two are the same.
 */
export type Condition = { reference: string; everyTime?: boolean } & (
  | { kind: 'row_count'; comparison: Comparison; number: number }
  | { kind: 'value'; column: string; comparison: Comparison; number: number }
  | { kind: 'changed' }
)

export interface ConditionState {
  /** The query's run whose result was judged; null before there was one that could be. */
  runId: string | null
  /** Of that result; null with it. */
  resultHash: string | null
  isMet: boolean
  /** ISO 8601. */
  judgedAt: string
  /** What was found, or why it could not be judged, in words. */
  finding: string
}
