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
  'reference.changed': {
    schemaName: 'ReferenceChangedEvent',
    summary: 'The result of a saved query changed',
    description: 'A new result of a saved query that publishes changes differs from the one before.',
    fields: {
      referenceShortId: { is: 'text' },
      title: { is: 'text', description: 'The title of the query.' },
      permalink: { is: 'text' },
      number: { is: 'integer', description: 'The number of the change: 1, 2, 3, … without gaps for each query.' },
      at: { is: 'text', description: 'When the run with the new result completed.' },
      fromRunId: { is: 'text', description: 'The run with the result before.' },
      toRunId: { is: 'text', description: 'The run with the new result.' },
      fromResultHash: { is: 'text', description: 'Equals `toResultHash` of the change before.' },
      toResultHash: { is: 'text' },
      keyColumns: { is: 'texts', description: 'The columns that identify a row.' },
      isKeyUnique: { is: 'boolean', description: 'Whether the key occurs at most once in each result.' },
      isReplacement: { is: 'boolean', description: 'True if the columns differ: then all rows are removed and added.' },
      added: { is: 'integer', description: 'How many rows were added.' },
      removed: { is: 'integer', description: 'How many rows were removed.' },
      changed: { is: 'integer', description: 'How many rows have other values.' },
      rowsUrl: { is: 'text', description: 'All changed rows, as JSON lines. Requires an API key.' },
      patchUrl: { is: 'text', description: 'The exact difference of the two documents, as JSON lines. Requires an API key.' },
      sampleRows: { is: 'objects', description: 'At most 20 changed rows, as in `rowsUrl`.' },
    },
    page: {
      label: 'Query result changed',
      when: 'A query that publishes changes has a different result.',
      carries: 'Carries the number of added, removed and changed rows, the first of them, and links to all.',
    },
    sample: {
      referenceShortId: 'sample0000',
      title: 'Sample query',
      number: 1,
      at: '2026-01-31T09:30:00.000Z',
      fromRunId: 'run_sample_1',
      toRunId: 'run_sample_2',
      fromResultHash: 'sample-1',
      toResultHash: 'sample-2',
      keyColumns: ['id'],
      isKeyUnique: true,
      isReplacement: false,
      added: 1,
      removed: 0,
      changed: 0,
      sampleRows: [{ op: 'add', key: [7], after: [7, 'This is a test event. No result has changed.'] }],
    },
  },
} as const satisfies Record<string, EventDefinition>

interface EventDefinition {
  /** In the OpenAPI document. */
  schemaName: string
  summary: string
  description: string
  fields: Record<string, EventField>
  page: { label: string; when: string; carries: string }
  /** What a sample carries in addition to links and to the fields of every automation run. */
  sample: Record<string, unknown>
}

export interface EventField {
  /** `reserved`: null in everything sent today; may become text later. */
  is: 'text' | 'reserved' | 'integer' | 'boolean' | 'texts' | 'objects'
  description?: string
}

export type EventType = keyof typeof definedEvents
/** The events that end an automation's run. */
export type RunEventType = Extract<EventType, `automation.run.${string}`>
export const runEventTypes: RunEventType[] = ['automation.run.completed', 'automation.run.failed']
export const eventTypes = Object.keys(definedEvents) as EventType[]

type FieldsOf<Type extends EventType> = (typeof definedEvents)[Type]['fields']
interface FieldValues {
  text: string
  reserved: null
  integer: number
  boolean: boolean
  texts: string[]
  objects: Record<string, unknown>[]
}
type ValueOf<Field extends EventField> = FieldValues[Field['is']]

export type EventData<Type extends EventType> = {
  [Name in keyof FieldsOf<Type>]: FieldsOf<Type>[Name] extends EventField ? ValueOf<FieldsOf<Type>[Name]> : never
}
