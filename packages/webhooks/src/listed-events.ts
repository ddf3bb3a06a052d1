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

export type ListedEvent = AutomationRunCompletedEvent | AutomationRunFailedEvent | AutomationAlertFiredEvent | AutomationAlertResolvedEvent
