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

export type ListedEvent = AutomationRunCompletedEvent | AutomationRunFailedEvent
