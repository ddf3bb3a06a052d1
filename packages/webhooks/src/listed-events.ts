// Made from the table of event types by `npm run types`; a test keeps it so. Not for editing.

import type { Envelope } from './envelope.ts'

/** An automation’s run finished successfully. */
export type AutomationRunCompletedEvent = Envelope<
  'automation.run.completed',
  {
    automationId: string
    automationName: string
    runId: string
    /** The permalink of the run’s chat. */
    chatUrl: string
    /** What the run found, as plain text. */
    summary: string
    /** Reserved; always null. */
    imageUrl: string | null
  }
>

/** An automation’s run failed, or was stopped before completing. */
export type AutomationRunFailedEvent = Envelope<
  'automation.run.failed',
  {
    automationId: string
    automationName: string
    runId: string
    /** The permalink of the run’s chat. */
    chatUrl: string
    /** Why it failed, or that it was stopped and by whom. */
    reason: string
  }
>

/** A new result of a saved query that publishes changes differs from the one before. */
export type ReferenceChangedEvent = Envelope<
  'reference.changed',
  {
    referenceShortId: string
    /** The title of the query. */
    title: string
    permalink: string
    /** The number of the change: 1, 2, 3, … without gaps for each query. */
    number: number
    /** When the run with the new result completed. */
    at: string
    /** The run with the result before. */
    fromRunId: string
    /** The run with the new result. */
    toRunId: string
    /** Equals `toResultHash` of the change before. */
    fromResultHash: string
    toResultHash: string
    /** The columns that identify a row. */
    keyColumns: string[]
    /** Whether the key occurs at most once in each result. */
    isKeyUnique: boolean
    /** True if the columns differ: then all rows are removed and added. */
    isReplacement: boolean
    /** How many rows were added. */
    added: number
    /** How many rows were removed. */
    removed: number
    /** How many rows have other values. */
    changed: number
    /** All changed rows, as JSON lines. Requires an API key. */
    rowsUrl: string
    /** The exact difference of the two documents, as JSON lines. Requires an API key. */
    patchUrl: string
    /** At most 20 changed rows, as in `rowsUrl`. */
    sampleRows: Record<string, unknown>[]
  }
>

export type ListedEvent = AutomationRunCompletedEvent | AutomationRunFailedEvent | ReferenceChangedEvent
