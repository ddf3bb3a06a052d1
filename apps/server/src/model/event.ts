/**
 * An *event* tells that an automation's run ended. It is written in the transaction that ends the run, as the very
 * bytes that are sent: id and body are the same in every attempt to every endpoint.
 */
export const eventTypes = ['automation.run.completed', 'automation.run.failed'] as const
export type EventType = (typeof eventTypes)[number]

export interface RunCompleted {
  automationId: string
  automationName: string
  runId: string
  summary: string
  chatUrl: string
  /** Reserved. */
  imageUrl: null
}

export interface RunFailed {
  automationId: string
  automationName: string
  runId: string
  chatUrl: string
  /** A stopped run's reason says that it was stopped, and by whom. */
  reason: string
}

/** What a publisher says. */
export type EventContent =
  | { type: 'automation.run.completed'; data: RunCompleted }
  | { type: 'automation.run.failed'; data: RunFailed }

export interface WebhookEvent {
  id: string
  organizationId: string
  type: EventType
  createdAt: Date
  /** The envelope, as it is sent. */
  body: string
  /** A sample: it tells of no run. */
  isTest: boolean
}
