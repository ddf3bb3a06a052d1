/**
 * The types of events, defined once: the OpenAPI document, the receivers' library, the text on the pages and the sample events are
 * all made from this table.
 */
const run = {
  automationId: { is: 'text' },
  automationName: { is: 'text' },
  runId: { is: 'text' },
  chatUrl: { is: 'text', description: 'The permalink of the run’s chat.' },
} as const

const alert = {
  automationId: { is: 'text' },
  automationName: { is: 'text' },
  automationUrl: { is: 'text', description: 'The page of the automation.' },
  severity: { is: 'text', description: '`info`, `warning` or `critical`.' },
  finding: { is: 'text', description: 'What the alert found, as plain text.' },
  referenceShortId: { is: 'text', description: 'The query reference that the alert watches.' },
  queryRunId: { is: 'text', description: 'The run of that query whose result was evaluated.' },
} as const

const sampleAlert = { severity: 'warning', referenceShortId: 'm4k2x8qdpw', queryRunId: 'run_sample' } as const

export const definedEvents = {
  'automation.run.completed': {
    schemaName: 'RunCompletedEvent',
    summary: 'An automation’s run completed',
    description: 'An automation’s run finished successfully.',
    fields: {
      ...run,
      summary: { is: 'text', description: 'What the run found, as plain text.' },
      imageUrl: { is: 'reserved', description: 'Reserved; always null.' },
    },
    page: {
      label: 'Run completed',
      when: 'An automation’s run finished.',
      carries: 'Carries the summary, a link to the chat, and the ids of the automation and the run.',
    },
    sample: {
      summary: 'This is a test event. Revenue of the sample shop was 1,234.00 yesterday, 5 % more than the day before.',
      imageUrl: null,
    },
  },
  'automation.run.failed': {
    schemaName: 'RunFailedEvent',
    summary: 'An automation’s run failed or was stopped',
    description: 'An automation’s run failed, or was stopped before completing.',
    fields: {
      ...run,
      reason: { is: 'text', description: 'Why it failed, or that it was stopped and by whom.' },
    },
    page: {
      label: 'Run failed',
      when: 'A run failed or was stopped.',
      carries: 'Carries the reason, a link to the chat, and the ids of the automation and the run.',
    },
    sample: { reason: 'This is a test event. No automation has failed.' },
  },
  'automation.alert.fired': {
    schemaName: 'AlertFiredEvent',
    summary: 'An alert fired',
    description: 'An alert fired, became more severe, or found new rows.',
    fields: alert,
    page: {
      label: 'Alert fired',
      when: 'An alert fired.',
      carries: 'Carries the finding, the severity, and the ids of the automation and the query run.',
    },
    sample: { ...sampleAlert, finding: 'This is a test event. The number of rows is 12, which is > 10.' },
  },
  'automation.alert.resolved': {
    schemaName: 'AlertResolvedEvent',
    summary: 'An alert was resolved',
    description: 'An alert that fired no longer does.',
    fields: alert,
    page: {
      label: 'Alert resolved',
      when: 'An alert that fired no longer does.',
      carries: 'Carries the finding, the severity, and the ids of the automation and the query run.',
    },
    sample: { ...sampleAlert, finding: 'This is a test event. The number of rows is 3, which is not > 10.' },
  },
} as const satisfies Record<string, EventDefinition>

interface EventDefinition {
  /** In the OpenAPI document. */
  schemaName: string
  summary: string
  description: string
  fields: Record<string, EventField>
  page: { label: string; when: string; carries: string }
  /** What a sample carries in addition to the ids and links that many events have. */
  sample: Record<string, string | null>
}

export interface EventField {
  /** `reserved`: null in everything sent today; may become text later. */
  is: 'text' | 'reserved'
  description?: string
}

export type EventType = keyof typeof definedEvents
export const eventTypes = Object.keys(definedEvents) as EventType[]

/** The events of an automation's run. */
export const runEventTypes = ['automation.run.completed', 'automation.run.failed'] as const satisfies EventType[]
export type RunEventType = (typeof runEventTypes)[number]

type FieldsOf<Type extends EventType> = (typeof definedEvents)[Type]['fields']
type ValueOf<Field> = Field extends { is: 'text' } ? string : null

export type EventData<Type extends EventType> = { [Name in keyof FieldsOf<Type>]: ValueOf<FieldsOf<Type>[Name]> }
