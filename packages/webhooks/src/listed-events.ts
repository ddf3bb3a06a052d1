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

/** A query’s run finished successfully. A person, a board, an automation or the API may have requested it. */
export type QueryRunCompletedEvent = Envelope<
  'query.run.completed',
  {
    runId: string
    queryId: string
    /** The oldest saved query that shows this run; null if there is none. */
    referenceShortId: string | null
    /** The title of that saved query. */
    title: string | null
    /** The permalink of that saved query. */
    permalink: string | null
    /** The number of rows in the result. */
    rowCount: number
    /** The hash of the stored result. Equal results have equal hashes. */
    resultHash: string
  }
>

/**
 * A query’s run failed: the database returned an error, a limit was reached, a person stopped it, or its worker
 * died.
 */
export type QueryRunFailedEvent = Envelope<
  'query.run.failed',
  {
    runId: string
    queryId: string
    /** The oldest saved query that shows this run; null if there is none. */
    referenceShortId: string | null
    /** The title of that saved query. */
    title: string | null
    /** The permalink of that saved query. */
    permalink: string | null
    /** Why it failed, or that it was stopped. */
    reason: string
    /** True if a person stopped it. */
    isStopped: boolean
  }
>

/**
 * A report with a board was sent to one recipient or channel. A report with several recipients sends several
 * events.
 */
export type BoardReportSentEvent = Envelope<
  'board.report.sent',
  {
    /** The automation that the report belongs to. */
    automationId: string
    automationName: string
    /** The automation’s run after which the report was sent. */
    runId: string
    reportId: string
    reportDeliveryId: string
    boardShortId: string
    /** Null if the board was deleted. */
    boardTitle: string | null
    /** The permalink of the board. */
    boardUrl: string
    /** `email`, `slack`, `teams` or `webhook`. */
    channel: string
    /** The e-mail address, or the name of the channel. */
    recipient: string
  }
>

/** An alert fired, became more severe, or found new rows. */
export type AutomationAlertFiredEvent = Envelope<
  'automation.alert.fired',
  {
    automationId: string
    automationName: string
    /** The page of the automation. */
    automationUrl: string
    /** `info`, `warning` or `critical`. */
    severity: string
    /** What the alert found, as plain text. */
    finding: string
    /** The query reference that the alert watches. */
    referenceShortId: string
    /** The run of that query whose result was evaluated. */
    queryRunId: string
    /** How many new rows were found. 0 if the alert does not look for new rows. */
    newRowCount: number
    /** The first new rows, by column name: at most 20 and 32 KiB. */
    newRows: Record<string, unknown>[]
  }
>

/** An alert that fired no longer does. */
export type AutomationAlertResolvedEvent = Envelope<
  'automation.alert.resolved',
  {
    automationId: string
    automationName: string
    /** The page of the automation. */
    automationUrl: string
    /** `info`, `warning` or `critical`. */
    severity: string
    /** What the alert found, as plain text. */
    finding: string
    /** The query reference that the alert watches. */
    referenceShortId: string
    /** The run of that query whose result was evaluated. */
    queryRunId: string
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

export type ListedEvent = AutomationRunCompletedEvent | AutomationRunFailedEvent | QueryRunCompletedEvent | QueryRunFailedEvent | BoardReportSentEvent | AutomationAlertFiredEvent | AutomationAlertResolvedEvent | ReferenceChangedEvent
