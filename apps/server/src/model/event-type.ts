/**
 * The types of events, defined once. Everything else is generated or checked from this table: validation, the OpenAPI document, the
 * table in docs/webhooks.md, the receivers' library with its test vectors, the web app's checkboxes, and sample events.
 */
const automationRun = {
  automationId: { is: 'text' },
  automationName: { is: 'text' },
  runId: { is: 'text' },
  chatUrl: { is: 'text', description: 'The permalink of the run’s chat.' },
} as const

const sampleAutomationRun = {
  automationId: 'automation_sample',
  automationName: 'Sample automation',
  runId: 'arun_sample',
  chatUrl: '/chats/sample',
} as const

const queryRun = {
  runId: { is: 'text' },
  queryId: { is: 'text' },
  referenceShortId: { is: 'nullableText', description: 'The oldest saved query that shows this run; null if there is none.' },
  title: { is: 'nullableText', description: 'The title of that saved query.' },
  permalink: { is: 'nullableText', description: 'The permalink of that saved query.' },
} as const

const sampleQueryRun = {
  runId: 'run_sample',
  queryId: '00000000-0000-7000-8000-000000000000',
  referenceShortId: 'sample0000',
  title: 'Sample query',
  permalink: '/q/sample0000',
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

const sampleAlert = {
  automationId: 'automation_sample',
  automationName: 'Sample automation',
  automationUrl: '/automations/automation_sample',
  severity: 'warning',
  referenceShortId: 'sample0000',
  queryRunId: 'run_sample',
} as const

export const definedEvents = {
  'automation.run.completed': {
    schemaName: 'RunCompletedEvent',
    summary: 'An automation’s run completed',
    description: 'An automation’s run finished successfully.',
    isDefault: true,
    orderedBy: 'automationId',
    fields: {
      ...automationRun,
      summary: { is: 'text', description: 'What the run found, as plain text.' },
      imageUrl: { is: 'reserved', description: 'Reserved; always null.' },
    },
    page: {
      group: 'Automations',
      label: 'Run completed',
      when: 'An automation’s run finished.',
      carries: 'Carries the summary, a link to the chat, and the ids of the automation and the run.',
    },
    sample: {
      ...sampleAutomationRun,
      summary: 'This is a test event. Revenue of the sample shop was 1,234.00 yesterday, 5 % more than the day before.',
      imageUrl: null,
    },
  },
  'automation.run.failed': {
    schemaName: 'RunFailedEvent',
    summary: 'An automation’s run failed or was stopped',
    description: 'An automation’s run failed, or was stopped before completing.',
    isDefault: true,
    orderedBy: 'automationId',
    fields: {
      ...automationRun,
      reason: { is: 'text', description: 'Why it failed, or that it was stopped and by whom.' },
    },
    page: {
      group: 'Automations',
      label: 'Run failed',
      when: 'A run failed or was stopped.',
      carries: 'Carries the reason, a link to the chat, and the ids of the automation and the run.',
    },
    sample: { ...sampleAutomationRun, reason: 'This is a test event. No automation has failed.' },
  },
  'query.run.completed': {
    schemaName: 'QueryRunCompletedEvent',
    summary: 'A query’s run completed',
    description: 'A query’s run finished successfully. A person, a board, an automation or the API may have requested it.',
    isDefault: false,
    orderedBy: 'queryId',
    fields: {
      ...queryRun,
      rowCount: { is: 'integer', description: 'The number of rows in the result.' },
      resultHash: { is: 'text', description: 'The hash of the stored result. Equal results have equal hashes.' },
    },
    page: {
      group: 'Queries',
      label: 'Query completed',
      when: 'A query’s run finished.',
      carries: 'Carries the row count and hash of the result, and a link to the query.',
    },
    sample: { ...sampleQueryRun, rowCount: 42, resultHash: 'sample' },
  },
  'query.run.failed': {
    schemaName: 'QueryRunFailedEvent',
    summary: 'A query’s run failed or was stopped',
    description: 'A query’s run failed: the database returned an error, a limit was reached, a person stopped it, or its worker died.',
    isDefault: false,
    orderedBy: 'queryId',
    fields: {
      ...queryRun,
      reason: { is: 'text', description: 'Why it failed, or that it was stopped.' },
      isStopped: { is: 'boolean', description: 'True if a person stopped it.' },
    },
    page: {
      group: 'Queries',
      label: 'Query failed',
      when: 'A query’s run failed or was stopped.',
      carries: 'Carries the reason and a link to the query.',
    },
    sample: { ...sampleQueryRun, reason: 'This is a test event. No query has failed.', isStopped: false },
  },
  'board.report.sent': {
    schemaName: 'BoardReportSentEvent',
    summary: 'A board was sent as a report',
    description: 'A report with a board was sent to one recipient or channel. A report with several recipients sends several events.',
    isDefault: false,
    orderedBy: 'automationId',
    fields: {
      automationId: { is: 'text', description: 'The automation that the report belongs to.' },
      automationName: { is: 'text' },
      runId: { is: 'text', description: 'The automation’s run after which the report was sent.' },
      reportId: { is: 'text' },
      reportDeliveryId: { is: 'text' },
      boardShortId: { is: 'text' },
      boardTitle: { is: 'nullableText', description: 'Null if the board was deleted.' },
      boardUrl: { is: 'text', description: 'The permalink of the board.' },
      channel: { is: 'text', description: '`email`, `slack`, `teams` or `webhook`.' },
      recipient: { is: 'text', description: 'The e-mail address, or the name of the channel.' },
    },
    page: {
      group: 'Boards',
      label: 'Board report sent',
      when: 'A board was sent to a recipient or a channel.',
      carries: 'Carries the recipient and a link to the board.',
    },
    sample: {
      automationId: 'automation_sample',
      automationName: 'Sample automation',
      runId: 'arun_sample',
      reportId: 'report_sample',
      reportDeliveryId: 'report_delivery_sample',
      boardShortId: 'sample0000',
      boardTitle: 'Sample board',
      boardUrl: '/b/sample0000',
      channel: 'email',
      recipient: 'sample@example.com',
    },
  },
  'automation.alert.fired': {
    schemaName: 'AlertFiredEvent',
    summary: 'An alert fired',
    description: 'An alert fired, became more severe, or found new rows.',
    isDefault: false,
    orderedBy: 'automationId',
    fields: {
      ...alert,
      newRowCount: { is: 'integer', description: 'How many new rows were found. 0 if the alert does not look for new rows.' },
      newRows: { is: 'objectList', description: 'The first new rows, by column name: at most 20 and 32 KiB.' },
    },
    page: {
      group: 'Alerts',
      label: 'Alert fired',
      when: 'An alert fired.',
      carries: 'Carries the finding, the severity, the first new rows, and the ids of the automation and the query run.',
    },
    sample: { ...sampleAlert, finding: 'This is a test event. There is 1 new row.', newRowCount: 1, newRows: [{ id: 1 }] },
  },
  'automation.alert.resolved': {
    schemaName: 'AlertResolvedEvent',
    summary: 'An alert was resolved',
    description: 'An alert that fired no longer does.',
    isDefault: false,
    orderedBy: 'automationId',
    fields: alert,
    page: {
      group: 'Alerts',
      label: 'Alert resolved',
      when: 'An alert that fired no longer does.',
      carries: 'Carries the finding, the severity, and the ids of the automation and the query run.',
    },
    sample: { ...sampleAlert, finding: 'This is a test event. The number of rows is 3, which is not > 10.' },
  },
  'reference.changed': {
    schemaName: 'ReferenceChangedEvent',
    summary: 'The result of a saved query changed',
    description: 'A new result of a saved query that publishes changes differs from the one before.',
    isDefault: false,
    orderedBy: 'referenceShortId',
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
      keyColumns: { is: 'textList', description: 'The columns that identify a row.' },
      isKeyUnique: { is: 'boolean', description: 'Whether the key occurs at most once in each result.' },
      isReplacement: { is: 'boolean', description: 'True if the columns differ: then all rows are removed and added.' },
      added: { is: 'integer', description: 'How many rows were added.' },
      removed: { is: 'integer', description: 'How many rows were removed.' },
      changed: { is: 'integer', description: 'How many rows have other values.' },
      rowsUrl: { is: 'text', description: 'All changed rows, as JSON lines. Requires an API key.' },
      patchUrl: { is: 'text', description: 'The exact difference of the two documents, as JSON lines. Requires an API key.' },
      sampleRows: { is: 'objectList', description: 'At most 20 changed rows, as in `rowsUrl`.' },
    },
    page: {
      group: 'Queries',
      label: 'Query result changed',
      when: 'A query that publishes changes has a different result.',
      carries: 'Carries the number of added, removed and changed rows, the first of them, and links to all.',
    },
    sample: {
      referenceShortId: 'sample0000',
      title: 'Sample query',
      permalink: '/q/sample0000',
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
      rowsUrl: '/api/references/sample0000/changes/1/rows',
      patchUrl: '/api/references/sample0000/changes/1/patch',
      sampleRows: [{ op: 'add', key: [7], after: [7, 'This is a test event. No result has changed.'] }],
    },
  },
} as const satisfies Record<string, EventDefinition>

interface EventDefinition {
  /** In the OpenAPI document. */
  schemaName: string
  summary: string
  description: string
  /**
   * Default events are always published, and sent to endpoints and listeners that make no choice. The others are opt-in: they are
   * published only if an endpoint or a listener has chosen them.
   */
  isDefault: boolean
  /** The field of the data by which endpoints that receive events in order put them into sequences. */
  orderedBy: string
  fields: Record<string, EventField>
  page: { group: string; label: string; when: string; carries: string }
  /** The data of a sample event. Text that begins with `/` is a path of this service. */
  sample: Record<string, EventValue>
}

export interface EventField {
  is: EventFieldKind
  description?: string
}

/** What a field may hold. `reserved`: null in everything sent today; may become text later. */
interface EventValues {
  text: string
  nullableText: string | null
  integer: number
  boolean: boolean
  textList: readonly string[]
  objectList: readonly Readonly<Record<string, unknown>>[]
  reserved: null
}
export type EventFieldKind = keyof EventValues
export type EventValue = EventValues[EventFieldKind]

export type EventType = keyof typeof definedEvents
/** The events that end an automation's run. */
export type RunEventType = Extract<EventType, `automation.run.${string}`>
export const runEventTypes: RunEventType[] = ['automation.run.completed', 'automation.run.failed']
export const eventTypes = Object.keys(definedEvents) as EventType[]

type DefaultIn<Table extends Record<string, { isDefault: boolean }>> = {
  [Type in keyof Table]: Table[Type]['isDefault'] extends true ? Type : never
}[keyof Table]
/** Events that are always published. */
export type DefaultEventType = DefaultIn<typeof definedEvents>

type FieldsOf<Type extends EventType> = (typeof definedEvents)[Type]['fields']
type ValueOf<Field> = Field extends { is: infer Kind extends EventFieldKind } ? EventValues[Kind] : never

export type EventData<Type extends EventType> = {
  [Name in keyof FieldsOf<Type>]: FieldsOf<Type>[Name] extends EventField ? ValueOf<FieldsOf<Type>[Name]> : never
}
