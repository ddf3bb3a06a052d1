// Made from the service’s OpenAPI document by `npm run types`; a test keeps it so. Not for editing.

/** An alert fired, became more severe, or found new rows. Opt-in: sent only to endpoints that chose it. */
export interface AlertFiredEvent {
  /** Equal to the `svc-webhook-id` header. The same for every attempt: deduplicate on it. */
  id: string
  type: 'automation.alert.fired'
  /** ISO 8601, UTC */
  createdAt: string
  data: {
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
    newRows: (Record<string, unknown>)[]
  }
}

/** An alert that fired no longer does. Opt-in: sent only to endpoints that chose it. */
export interface AlertResolvedEvent {
  /** Equal to the `svc-webhook-id` header. The same for every attempt: deduplicate on it. */
  id: string
  type: 'automation.alert.resolved'
  /** ISO 8601, UTC */
  createdAt: string
  data: {
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
}

/** A database that queries run against, without its connection settings. */
export interface AnalyticalDatabaseConfig {
  /** The `analyticalDatabaseConfigId` of its queries. */
  id: string
  name: string
  engine: 'duckdb' | 'postgres' | 'mysql' | 'clickhouse' | 'bigquery' | 'trino' | 'snowflake' | 'redshift' | 'sqlite'
  /** Number of tables and views when the schema was last read; null until then. */
  tableCount: number | null
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
}

/**
 * `improved`: correct only after; `regressed`: correct only before; `same`; `added` or `removed`: asked by only
 * one of them.
 */
export type AnswerChange = 'improved' | 'regressed' | 'same' | 'added' | 'removed'

/** How many questions have each status. */
export interface AnswerCounts {
  waiting: number
  running: number
  correct: number
  wrong: number
  failed: number
  stopped: number
}

/**
 * `waiting`, then `running`, then `correct`, `wrong`, `failed` (the agent failed or ran no query, or the expected
 * result is not available) or `stopped`.
 */
export type AnswerStatus = 'waiting' | 'running' | 'correct' | 'wrong' | 'failed' | 'stopped'

/** The outcome of applied changes. */
export interface AppliedChanges {
  /** The created and changed items. */
  items: AppliedItem[]
}

/** An item as it is now. */
export interface AppliedItem {
  kind: 'folder' | 'query' | 'board' | 'automation' | 'metric' | 'question_set'
  /** Of the file, for messages and links. */
  path: string
  id: string
  /** Changes whenever the content does. */
  hash: string
  name: string
}

/** Has an agent report on queries, on a schedule or on a condition. */
export interface Automation {
  id: string
  name: string
  instructions: string
  agent: 'digest' | 'model'
  /** The shortIds of query references. */
  references: string[]
  /** A cron expression and its time zone. */
  schedule: {
    /** Five fields: minute, hour, day of month, month, day of week. */
    cron: string
    /** An IANA time zone, such as Europe/Berlin. */
    timeZone: string
  } | null
  condition: {
    /** The shortId of a query reference. */
    reference: string
    /** Run for every result that meets the condition, not only for the first. */
    everyTime?: boolean
    kind: 'row_count'
    comparison: '>' | '>=' | '<' | '<=' | '=' | '!='
    number: number
  } | {
    /** The shortId of a query reference. */
    reference: string
    /** Run for every result that meets the condition, not only for the first. */
    everyTime?: boolean
    kind: 'value'
    column: string
    comparison: '>' | '>=' | '<' | '<=' | '=' | '!='
    number: number
  } | {
    /** The shortId of a query reference. */
    reference: string
    /** Run for every result that meets the condition, not only for the first. */
    everyTime?: boolean
    kind: 'changed'
  } | {
    /** The shortId of a query reference. */
    reference: string
    kind: 'alert'
    tests: {
      kind: 'threshold' | 'change' | 'new_rows' | 'no_rows' | 'stale' | 'unusual'
      severity?: 'info' | 'warning' | 'critical'
      /** Fires after so many results in a row. */
      forRuns?: number
      /** Left out: the number of rows. */
      column?: string
      aggregate?: 'first' | 'last' | 'min' | 'max' | 'sum'
      comparison?: '>' | '>=' | '<' | '<='
      number?: number
      /** Once it fires, it goes on until the value has passed this number too. */
      resolveAt?: number
      against?: 'previous' | 'day' | 'week' | 'month'
      direction?: 'either' | 'up' | 'down'
      by?: number
      unit?: 'percent' | 'absolute'
      keyColumns?: string[]
      hours?: number
      deviations?: number
      results?: number
    }[]
    muteWindows: {
      /** 1 is Monday. */
      days: number[]
      /** As 22:00. */
      from: string
      /** As 06:30, or 24:00. Before `from`: on the next day. */
      to: string
      timeZone: string
    }[]
  } | null
  /** The outcome of the last check. */
  conditionState: {
    /** The query run whose result was checked; null before the first check of a result. */
    runId: string | null
    /** Hash of that result. */
    resultHash: string | null
    isMet: boolean
    /** ISO 8601, UTC */
    judgedAt: string
    /** The outcome as text, or why the condition could not be checked. */
    finding: string
  } | null
  /** The state of an alert. Null before its first result, and for other conditions. */
  alertState: {
    status: 'ok' | 'firing' | 'resolved' | 'no_data' | 'failing'
    severity: 'info' | 'warning' | 'critical' | null
    /** When the alert got this status. */
    since: string
    finding: string
  } | null
  /** The alert sends no messages before this time. */
  snoozedUntil: string | null
  enabled: boolean
  /** Whether a run fails if its summary has a figure that is not proven. */
  strict: boolean
  nextDueAt: string | null
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  latestRun: {
    id: string
    /** `pending`, then `running`, then `completed` or `failed`. The last two are final. */
    status: 'pending' | 'running' | 'completed' | 'failed'
    /** True if a person stopped it. Its status is then `failed`. */
    isStopped: boolean
    /** ISO 8601, UTC */
    requestedAt: string
    endedAt: string | null
    chatUrl: string
  } | null
  /** Differs if anything differs that you can change. Send it as `If-Match`, in double quotes. */
  version: string
}

/** One page of a list. All pages show the list as it was when the first page was requested. */
export interface AutomationPage {
  items: Automation[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
}

/** One run of an automation. */
export interface AutomationRun {
  id: string
  automationId: string
  automationName: string
  /** `digest` needs no model and reports figures and changes; `model` uses the organization’s AI model. */
  agent: 'digest' | 'model'
  status: RunStatus
  /** What triggered the run: `api` for this route. */
  trigger: 'schedule' | 'condition' | 'person' | 'api' | 'question' | 'evaluation'
  /** Who or what triggered the run: `key_…`, `user_…` or `automation_…`. */
  triggerId: string
  /** ISO 8601, UTC */
  requestedAt: string
  /** When a scheduled run was due; otherwise null. */
  dueAt: string | null
  /** How many missed due times this run also covers, counted up to 1000. */
  missedCount: number
  /** True if it was requested a minute or more after its due time, or covers missed ones. */
  isLate: boolean
  /** Null until an agent starts it. */
  startedAt: string | null
  /** Null until the run has completed or failed. */
  endedAt: string | null
  /** The findings as plain text. Null unless the run completed. */
  summary: string | null
  /** Why the run failed, or who stopped it. Null unless it failed. */
  reason: string | null
  /** True if a person stopped it. Its status is then `failed`. */
  isStopped: boolean
  /** The permalink of the chat with every step of the run. */
  chatUrl: string
  chatShortId: string
  usage: ModelUsage | null
  event: AutomationRunEvent | null
}

/** The event for the end of the run. Null before the end, and when the event is no longer kept. */
export interface AutomationRunEvent {
  id: string
  type: 'automation.run.completed' | 'automation.run.failed'
  /** ISO 8601, UTC */
  createdAt: string
  data: {
    automationId: string
    automationName: string
    runId: string
    chatUrl: string
    /** Only for a completed run. */
    summary?: string
    /** Reserved. Only for a completed run. */
    imageUrl?: null
    /** Only for a failed run. */
    reason?: string
  }
  deliveries: EventDelivery[]
}

/** A page of tiles over queries. */
export interface Board {
  id: string
  /** Identifier of the permalink, `/b/<shortId>`. Never changes. */
  shortId: string
  permalink: string
  title: string
  /** Null if there is none. */
  description: string | null
  /** The folder it is in; null at the top. */
  folderId: string | null
  /** Values that a reader can choose. */
  parameters: ParameterDefinition[]
  /** Empty unless the board is divided into tabs. */
  tabs: BoardTab[]
  tiles: Tile[]
  /** Increases with every change. Changes carry it as `If-Match`. */
  version: number
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
}

/** One page of a list. All pages show the list as it was when the first page was requested. */
export interface BoardPage {
  items: Board[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
}

/**
 * A report with a board was sent to one recipient or channel. A report with several recipients sends several
 * events. Opt-in: sent only to endpoints that chose it.
 */
export interface BoardReportSentEvent {
  /** Equal to the `svc-webhook-id` header. The same for every attempt: deduplicate on it. */
  id: string
  type: 'board.report.sent'
  /** ISO 8601, UTC */
  createdAt: string
  data: {
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
}

/** Which results a board shows with some values of its parameters. */
export interface BoardResults {
  /** One for each `reference` tile, in the order of the tiles. */
  tiles: TileResult[]
}

/** Part of a large board. */
export interface BoardTab {
  id: string
  title: string
}

/** A difference by the values of some columns. `contributions` and `rest` add up to it exactly. */
export interface ChangeBreakdown {
  columns: string[]
  /** Whether these are the columns that identify a row. */
  isKey: boolean
  /** The ten largest. */
  contributions: {
    /** The values of the columns. */
    values: unknown[]
    before: string | null
    after: string | null
    difference: string
  }[]
  /** All other values that contribute. */
  rest: {
    count: number
    difference: string
  }
}

/** The changes after a number, oldest first. */
export interface ChangeList {
  items: ResultChange[]
  /** Send it as `after` to go on, now or later. */
  nextAfter: number
  /** The number of the newest change; 0 before the first one. */
  latestNumber: number
}

/** A row that was added, removed or changed. */
export interface ChangedRow {
  op: 'add' | 'remove' | 'change'
  /** The values of the key columns. */
  key: unknown[]
  /** The values of a row, in the order of the columns of its result. */
  before?: unknown[]
  /** The values of a row, in the order of the columns of its result. */
  after?: unknown[]
  /** The changed cells of a changed row. */
  cells?: {
    column: string
    before: unknown
    after: unknown
    /** `after - before` of numbers, exact. */
    difference?: string
  }[]
}

/** Questions in plain words, and the answers of an agent with their figures. */
export interface Chat {
  id: string
  /** Identifier of the permalink. */
  shortId: string
  permalink: string
  /** The first words of the question, until it is renamed. */
  title: string
  /** `answering` while an agent works on a question; otherwise `idle`. */
  status: 'answering' | 'idle'
  /** ISO 8601, UTC */
  createdAt: string
  /** When it was created or renamed, or when a question was last asked or answered. */
  updatedAt: string
  /** All messages, in order. */
  messages: ChatMessage[]
}

/** A message of a chat: a question, a step, or an answer. */
export interface ChatMessage {
  /** Its place in the chat: 1, 2, 3, … */
  number: number
  role: 'person' | 'agent'
  /**
   * `question`: by a person, or the instructions of an automation. `step`: what the agent did. `answer`: its
   * answer or report. `failure`: why there is none.
   */
  kind: 'question' | 'step' | 'answer' | 'failure'
  /**
   * For an answer, Markdown in which every computed figure is printed. For a step, one line saying what was done.
   */
  text: string
  /** ISO 8601, UTC */
  createdAt: string
  /** The figures in the text, in order. Empty for other kinds. */
  figures: Figure[]
  /** Of a question: the number of the question it continues from; null if it starts the chat. */
  follows?: number | null
  /** Of an answer: questions to ask next. */
  followUps?: string[]
  /** Of an answer or failure, in a chat that is read as a whole: the numbers of the steps that led to it. */
  steps?: number[]
  /** Of a step that ran a query: the run. Null if it could not be started. */
  runId?: string | null
  /** Of a step that ran a query: its SQL. */
  sql?: string | null
  status?: RunStatus
  /** Of a step that ran a query: the number of rows in its result. */
  rowCount?: number | null
}

/** One page of a list. All pages show the list as it was when the first page was requested. */
export interface ChatPage {
  items: ListedChat[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
}

/** The data of `status`. */
export interface ChatStatus {
  /** `answering` while an agent works on a question; otherwise `idle`. */
  status: 'answering' | 'idle'
}

/** How the values of a column are written. */
export interface ColumnFormat {
  style: 'plain' | 'number' | 'currency' | 'percent' | 'unit' | 'date'
  /** ISO 4217, for the style `currency`. */
  currency?: string
  /** Shown after the number, for the style `unit`. */
  unit?: string
  /** Digits after the decimal point, 0 to 10. */
  decimals?: number
  /** Whether thousands are separated; true by default. */
  isGrouped?: boolean
  /** For the style `percent`: 0.12 is shown as 12%. */
  isFraction?: boolean
  /** 1,200,000 is shown as 1.2M. */
  isCompact?: boolean
  granularity?: 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour' | 'minute' | 'second'
}

/** How one column is shown, everywhere. */
export interface ColumnSettings {
  /** The column of the result. */
  name: string
  /** Shown instead of the name. */
  title?: string
  isHidden?: boolean
  format?: ColumnFormat
  colors?: (MatchRule | ScaleRule)[]
  total?: 'sum' | 'average' | 'min' | 'max' | 'count'
}

/** One question in both evaluations. Null where it was not asked. */
export interface ComparedAnswer {
  question: string
  before: ComparedSide | null
  after: ComparedSide | null
  change: AnswerChange
}

/** The answer in one of two compared evaluations. */
export interface ComparedSide {
  status: AnswerStatus
  chatUrl: string | null
  /** The query run whose result was compared. */
  runId: string | null
  /** The SQL of that run; null once the run is removed. */
  sql: string | null
  explanation: string | null
}

/** A new endpoint with the secret that signs its deliveries. */
export interface CreatedWebhookEndpoint {
  id: string
  url: string
  description: string | null
  eventTypes: ('automation.run.completed' | 'automation.run.failed' | 'query.run.completed' | 'query.run.failed' | 'board.report.sent' | 'automation.alert.fired' | 'automation.alert.resolved' | 'reference.changed')[]
  /** Events of the same automation or query are sent one after the other. */
  isOrdered: boolean
  state: 'enabled' | 'disabled'
  /** Consecutive events that exhausted all attempts. */
  consecutiveFailures: number
  disabledAt: string | null
  disabledReason: string | null
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  /** Outcomes of the last 100 deliveries. */
  health: {
    delivered: number
    exhausted: number
    pending: number
    /** Pending deliveries that have failed at least once. */
    retrying: number
    held: number
    durationP95Ms: number | null
    lastFailure: {
      deliveryId: string
      /** ISO 8601, UTC */
      at: string
      message: string
    } | null
  }
  /** Counted up to 1,000. */
  heldCount: number
  secret: string
  /** Differs if anything differs that you can change. Send it as `If-Match`, in double quotes. */
  version: string
}

/** One page of a list. All pages show the list as it was when the first page was requested. */
export interface DatabasePage {
  items: AnalyticalDatabaseConfig[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
}

/** What the newest import of a dbt project has read. */
export interface DbtImport {
  /** The database whose tables it describes. */
  databaseId: string
  /** The name of the dbt project. */
  project: string
  /** The schema version of the manifest. */
  manifestVersion: number
  /** When dbt wrote the manifest. */
  generatedAt: string | null
  /** Models, sources, seeds and snapshots that are tables. */
  tableCount: number
  /** How many of them the database has, as far as its schema has been read. */
  foundTableCount: number
  describedColumnCount: number
  metrics: DbtMetric[]
  importedBy: string
  /** ISO 8601, UTC */
  importedAt: string
}

/** One page of a list. All pages show the list as it was when the first page was requested. */
export interface DbtImportPage {
  items: DbtImport[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
}

/** A metric of the dbt project. */
export interface DbtMetric {
  name: string
  label: string
  description: string
  /** How it is computed, as text. Null if the manifest does not say it. */
  definition?: string | null
}

/** The deleted board. */
export interface DeletedBoard {
  id: string
  /** Its permalink now returns 404. */
  shortId: string
  title: string
  /** ISO 8601, UTC */
  deletedAt: string
}

/** The deleted reference. */
export interface DeletedReference {
  id: string
  /** Its permalink now returns 404. */
  shortId: string
  title: string
  description: string | null
  /** The query it pointed to, which is kept. */
  queryId: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  /** ISO 8601, UTC */
  deletedAt: string
}

/** The body of every error response. */
export interface ErrorBody {
  /** `invalid_request`: the request is at fault (4xx). `api_error`: the service is at fault (5xx). */
  type: 'invalid_request' | 'api_error'
  code: ErrorCode
  /** For people: what is wrong and what to do. The wording may change. */
  message: string
  /** Documentation of the code. */
  documentation_url: string
  /** The invalid parts of the request, if known. */
  details?: {
    /** `/title` for a field of the body, `limit` for a query parameter. */
    path: string
    message: string
  }[]
  /** With `cost_limit_exceeded`: the bytes that the query would read. */
  estimatedBytes?: number
  /** With `cost_limit_exceeded`: the limit, per query or per day. */
  limitBytes?: number
  /** With `version_conflict`: the version that the object has now. */
  currentVersion?: string
}

/** Stable code for programs. New codes may be added: handle an unknown one by its HTTP status. */
export type ErrorCode =
  | 'attribute_missing'
  | 'automation_already_running'
  | 'automation_not_found'
  | 'automation_run_not_found'
  | 'board_not_found'
  | 'body_too_large'
  | 'change_not_found'
  | 'change_rows_expired'
  | 'changes_expired'
  | 'changes_not_published'
  | 'chat_already_answering'
  | 'chat_not_found'
  | 'cost_limit_exceeded'
  | 'cursor_expired'
  | 'cursor_invalid'
  | 'database_not_found'
  | 'database_unreachable'
  | 'dbt_artifact_invalid'
  | 'endpoint_not_found'
  | 'evaluation_already_running'
  | 'evaluation_not_found'
  | 'folder_name_taken'
  | 'folder_not_empty'
  | 'folder_not_found'
  | 'forbidden'
  | 'idempotency_key_reused'
  | 'internal_error'
  | 'invalid_request'
  | 'key_not_unique'
  | 'knowledge_not_found'
  | 'managed_by_files'
  | 'measure_invalid'
  | 'message_not_found'
  | 'method_not_allowed'
  | 'model_budget_exhausted'
  | 'model_not_configured'
  | 'next_secret_missing'
  | 'parameter_invalid'
  | 'parameter_missing'
  | 'project_conflict'
  | 'proof_not_found'
  | 'query_already_running'
  | 'query_not_found'
  | 'question_set_name_taken'
  | 'question_set_not_found'
  | 'ref_invalid'
  | 'reference_in_use'
  | 'reference_not_found'
  | 'request_timeout'
  | 'result_damaged'
  | 'result_expired'
  | 'result_not_available'
  | 'result_not_kept'
  | 'route_not_found'
  | 'route_retired'
  | 'run_not_found'
  | 'scope_missing'
  | 'secret_unreadable'
  | 'store_unavailable'
  | 'too_many_requests'
  | 'unauthenticated'
  | 'version_conflict'

/** One run of all questions of a set. */
export interface Evaluation {
  id: string
  questionSetId: string
  questionSetName: string
  /** What the person who started it wanted to remember. */
  label: string | null
  model: string
  trigger: EvaluationTrigger
  requestedBy: EvaluationRequester
  proposal: EvaluationProposal | null
  /** For a proposal: the evaluation without the change, to compare with. Null if there was none. */
  baselineId: string | null
  /** ISO 8601, UTC */
  requestedAt: string
  /** Null while it runs. */
  endedAt: string | null
  /** The share of correct answers among all questions, from 0 to 1. Null while it runs. */
  score: number | null
  counts: AnswerCounts
  /** Its page. */
  url: string
}

/** The answer to one question. */
export interface EvaluationAnswer {
  question: TestQuestion
  status: AnswerStatus
  /** The chat in which the agent answers; null while the question waits. */
  chatUrl: string | null
  /** The query run whose result was compared. */
  runId: string | null
  /** The SQL of that run; null once the run is removed. */
  sql: string | null
  /** How the result differs, or why there is none. Null if it is correct. */
  explanation: string | null
}

/** How two evaluations differ, question by question. */
export interface EvaluationComparison {
  before: Evaluation
  after: Evaluation
  questions: ComparedAnswer[]
}

/** An evaluation with the answers to its questions. */
export interface EvaluationInFull {
  id: string
  questionSetId: string
  questionSetName: string
  /** What the person who started it wanted to remember. */
  label: string | null
  model: string
  trigger: EvaluationTrigger
  requestedBy: EvaluationRequester
  proposal: EvaluationProposal | null
  /** For a proposal: the evaluation without the change, to compare with. Null if there was none. */
  baselineId: string | null
  /** ISO 8601, UTC */
  requestedAt: string
  /** Null while it runs. */
  endedAt: string | null
  /** The share of correct answers among all questions, from 0 to 1. Null while it runs. */
  score: number | null
  counts: AnswerCounts
  /** Its page. */
  url: string
  answers: EvaluationAnswer[]
}

/** One page of a list, newest first. */
export interface EvaluationPage {
  items: Evaluation[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
}

/** A change of the knowledge that was tried before it was saved. */
export interface EvaluationProposal {
  kind: 'instructions' | 'metric' | 'table'
  /** What was changed. */
  name: string
}

/** The person on whose behalf the model reads data. */
export interface EvaluationRequester {
  id: string
  name: string
}

/** What started it: a person, the API or the schedule. */
export type EvaluationTrigger = 'person' | 'api' | 'schedule'

/** The state of the delivery to one endpoint. */
export interface EventDelivery {
  id: string
  endpointId: string
  url: string
  state: 'pending' | 'delivered' | 'exhausted' | 'held'
}

/** The data of `ready`, the first event of a stream. No event after it is missed. */
export interface EventStreamReady {
  /**
   * The secret to verify events of this stream. It is specific to you, stays the same between streams, and
   * belongs to no endpoint.
   */
  secret: string
  /** True if there were events after `Last-Event-ID` that are older than an hour, or if the id is unknown. */
  hasMissedEvents: boolean
}

/** Why the numbers of two results of a reference differ. */
export interface ExplainedChange {
  from: KeptResult
  to: KeptResult
  sql: {
    before: string | null
    after: string | null
  } | null
  /** The parameters whose values differ. */
  parameters: {
    name: string
    before: unknown
    after: unknown
  }[]
  /** The columns that can be chosen as `measure` or `denominator`. */
  numberColumns: string[]
  measures: {
    column: string
    denominator: string | null
    before: string
    after: string
    /** `after - before`, exact. */
    difference: string
    /** They add up to the difference exactly. */
    parts: {
      /** What changed. Several causes: with the results that are kept, they cannot be separated. */
      causes: ('sql' | 'parameters' | 'data')[]
      difference: string
    }[]
  }[]
  /** The way from the earlier to the later result, through other kept results where these separate causes. */
  steps: ExplainedStep[]
}

/** A part of the way from one result to another. */
export interface ExplainedStep {
  /** What changed. Several causes: with the results that are kept, they cannot be separated. */
  causes: ('sql' | 'parameters' | 'data')[]
  from: {
    runId: string
    /** ISO 8601, UTC */
    at: string
  }
  to: {
    runId: string
    /** ISO 8601, UTC */
    at: string
  }
  keyColumns: string[]
  /**
   * `chosen` by you, `inferred` because it is unique in both results, or `all_columns`, because there is no such
   * key.
   */
  keyChoice: 'chosen' | 'inferred' | 'all_columns'
  /** Rows. */
  added: number
  removed: number
  changed: number
  measures: {
    column: string
    denominator: string | null
    before: string
    after: string
    difference: string
    effects: {
      numerator: string
      denominator: string
    } | null
    /** What rows contribute that were added, removed and changed. */
    rows: {
      added: string
      removed: string
      changed: string
    }
    breakdowns: ChangeBreakdown[]
  }[]
}

/** A quantity, date or label in an answer, with the result that it was computed from. */
export interface Figure {
  /** Unique within the message. */
  id: string
  /** The figure as printed. */
  text: string
  /** True if it was computed from a stored result. Otherwise it is struck through in the text. */
  isProven: boolean
  /** The exact value: a decimal number as text, or a label. Null if it is not proven. */
  value: string | null
  /** Such as `%` or `€`; empty if it has none. Null if it is not proven. */
  unit: string | null
  /** The run whose result it was computed from. Null if it is not proven. */
  runId: string | null
  /** How it was computed from the rows of the result. Null if it is not proven. */
  expression: string | null
  /** Where it begins in the message’s `text`, in UTF-16 units. */
  start: number
  /** Where it ends in the message’s `text`, in UTF-16 units. */
  end: number
  /** Why it is not proven. Null if it is. */
  reason: string | null
}

/** A folder of boards and queries. */
export interface Folder {
  id: string
  name: string
  /** The folder it is in; null at the top. */
  parentId: string | null
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  /** Differs if anything differs that you can change. Send it as `If-Match`, in double quotes. */
  version: string
}

/** One page of a list. All pages show the list as it was when the first page was requested. */
export interface FolderPage {
  items: Folder[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
}

/** An evaluation to start. */
export interface GivenEvaluation {
  /** What you want to remember about it. */
  label?: string
}

/** The definition of a parameter in a request. */
export interface GivenParameter {
  name: string
  type: 'text' | 'number' | 'date' | 'timestamp' | 'boolean' | 'dateRange'
  displayName?: string
  defaultValue?: string
  description?: string
  isList?: boolean
  options?: ParameterOptions
}

/** A tile in a request. */
export interface GivenTile {
  /** Left out for a new tile: then it gets one. */
  id?: string
  kind: TileKind
  /** The query of a `reference` tile: the `shortId` of its reference. */
  referenceShortId?: string
  /** Markdown of a `text` tile, the words of a `heading`, the alternative text of an `image`. */
  text?: string
  /** Shown instead of the title of the query. */
  title?: string
  /** How the result is shown. By default as on the query’s own page. */
  shows?: 'chart' | 'table'
  /** The image of an `image` tile. */
  imageId?: string
  /** The tab that the tile is on. By default the first. */
  tabId?: string
  /** The first of its columns, from 0 to 11. */
  x: number
  /** The first of its rows, from 0. */
  y: number
  /** In columns. */
  width: number
  /** In rows. */
  height: number
  /** Parameters of the query, each with the name of the board’s parameter that gives its value. */
  parameterMapping?: Record<string, string>
  /** A click opens another board, with the value of a column as its parameter. */
  opens?: {
    boardShortId: string
    parameter: string
    column: string
  }
  /** A click on a category sets a parameter of this board to the value of a column. */
  filters?: {
    column: string
    parameter: string
  }
}

/** What a board or an automation reads, directly and through saved queries. */
export interface ItemLineage {
  references: ReadReference[]
  /** The tables that any of these saved queries reads. */
  tables: LineageTable[]
  /** False if the SQL may read more than is listed, for example with a table function. */
  isComplete: boolean
}

/** A result of a reference that was kept after it left the cache. */
export interface KeptResult {
  /** The run whose result it is. */
  runId: string
  /** When the run completed. */
  at: string
  rowCount: number
  /** A hash of the result: equal results have equal hashes. The `ETag` is derived from it. */
  resultHash: string
  /** The size of the result as it is stored, compressed. */
  sizeBytes: number
  /** Whether it never expires. */
  isPinned: boolean
}

/** One page of a list. All pages show the list as it was when the first page was requested. */
export interface KeptResultPage {
  items: KeptResult[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
}

/** The query’s latest run. */
export interface LatestRun {
  id: string
  status: RunStatus
  /** When the run was requested. */
  runAt: string
  /** When it completed or failed; null until then. */
  completedAt: string | null
}

/** A table that a saved query reads. */
export interface LineageTable {
  analyticalDatabaseConfigId: string
  /** Null if the SQL names none and the table is not known. */
  schema: string | null
  name: string
  /** The columns it reads, as far as the SQL and the known columns of the table tell. */
  columns: string[]
  /** Whether it reads all columns with `*`. */
  readsAllColumns: boolean
}

/** An automation, for a link. */
export interface LinkedAutomation {
  id: string
  name: string
}

/** A board, for a link. */
export interface LinkedBoard {
  shortId: string
  title: string
}

/** A saved query, for a link. */
export interface LinkedReference {
  shortId: string
  title: string
}

/** A chat in a list, without its messages. */
export interface ListedChat {
  id: string
  /** Identifier of the permalink. */
  shortId: string
  permalink: string
  /** The first words of the question, until it is renamed. */
  title: string
  /** `answering` while an agent works on a question; otherwise `idle`. */
  status: 'answering' | 'idle'
  /** ISO 8601, UTC */
  createdAt: string
  /** When it was created or renamed, or when a question was last asked or answered. */
  updatedAt: string
}

/** A stored query in a list. */
export interface ListedQuery {
  id: string
  /** Never changes. */
  sql: string
  /** The analytical database it runs against. */
  analyticalDatabaseConfigId: string
  /** Id of the user who created it. */
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  latestRun: ListedRun | null
}

/** A question set without its questions. */
export interface ListedQuestionSet {
  id: string
  name: string
  questionCount: number
  schedule: Schedule | null
  /** When it is evaluated next; null without a schedule. */
  nextDueAt: string | null
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  latestEvaluation: Evaluation | null
}

/** The latest run as of the first page. Null before the first run. */
export interface ListedRun {
  id: string
  status: RunStatus
  /** ISO 8601, UTC */
  runAt: string
}

/** Colors the cells that match. */
export interface MatchRule {
  when: 'above' | 'below' | 'between' | 'equals' | 'contains'
  value: string | number
  /** For `between`: the upper bound. */
  to?: number
  color: string
}

/** The user the key belongs to, their organization and role, and the key’s name. */
export interface Me {
  user: {
    id: string
    email: string
    name: string
  }
  organization: {
    id: string
    name: string
  }
  /** Always member for a key that belongs to groups. */
  role: 'admin' | 'member'
  key: {
    id: string
    /** The name given when the key was created. */
    name: string
    /** What the key may do. */
    scopes: ('read' | 'read:queries' | 'read:boards' | 'read:folders' | 'read:databases' | 'read:automations' | 'read:chats' | 'read:knowledge' | 'read:question-sets' | 'read:webhooks' | 'read:project' | 'run' | 'run:queries' | 'run:boards' | 'run:automations' | 'run:chats' | 'run:question-sets' | 'run:webhooks' | 'write' | 'write:queries' | 'write:boards' | 'write:folders' | 'write:automations' | 'write:project' | 'admin' | 'admin:webhooks' | 'admin:knowledge' | 'admin:question-sets')[]
    /** When the key stops working. Null: never. */
    expiresAt: string | null
    /** The groups that the key belongs to, if it sees what they may see. Null: it sees what its user may see. */
    groupIds: string[] | null
  }
}

/** A figure that people agreed on how to compute. */
export interface Metric {
  id: string
  name: string
  description: string
  /** Such as `€` or `%`; null for a plain number. */
  unit: string | null
  /** Other names by which people ask for it. */
  synonyms: string[]
  definition: {
    kind: 'sql'
    databaseId: string
    sql: string
  } | {
    kind: 'reference'
    shortId: string
  }
  /** The member to ask about it. */
  ownerId: string | null
  version: number
  changedBy: {
    id: string
    name: string
  }
  /** ISO 8601, UTC */
  changedAt: string
}

/** One page of a list. All pages show the list as it was when the first page was requested. */
export interface MetricPage {
  items: Metric[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
}

/** Usage of the model. Null for a digest. */
export interface ModelUsage {
  inputTokens: number
  outputTokens: number
  /** Number of calls to the model. */
  steps: number
}

/** Defines the values of a placeholder in the SQL. */
export interface ParameterDefinition {
  /** SQL refers to it as `{{name}}`. */
  name: string
  displayName: string
  /** SQL refers to the days of a `dateRange` as `{{name.start}}` and `{{name.end}}`, both inclusive. */
  type: 'text' | 'number' | 'date' | 'timestamp' | 'boolean' | 'dateRange'
  /**
   * Text that is valid for the type. Empty means no default, except for `text`. A JSON array for a list; for a
   * `dateRange`, `last 30 days` or `2026-01-01..2026-03-31`.
   */
  defaultValue: string
  description: string
  /** Whether it takes a list of values, for `in ({{name}})`. Absent means false. */
  isList?: boolean
  options?: ParameterOptions
}

/** A value to choose. */
export interface ParameterOption {
  /** Text that is valid for the type. */
  value: string
  /** Shown instead of the value. */
  label?: string
}

/**
 * Values to choose from: either `values`, or `referenceShortId` with `valueColumn`. Other values are still
 * accepted.
 */
export interface ParameterOptions {
  values?: ParameterOption[]
  /** The reference whose result has the values. */
  referenceShortId?: string
  /** The column of that result with the values. */
  valueColumn?: string
  /** The column with the texts to show instead of the values. */
  labelColumn?: string
  /**
   * Names of other parameters whose values narrow the options. A value goes to the parameter of that name of the
   * reference; if it has none, only rows with that value in the column of that name are kept. Names without a
   * parameter are ignored.
   */
  dependsOn?: string[]
}

/** Everything of an organization that has a file, with ids as links. */
export interface Project {
  folders: {
    id: string
    /** Changes whenever the content does. */
    hash: string
    /** The address of the file that manages the item. Null if it can be edited on the pages. */
    managedUrl: string | null
    content: ProjectFolder
  }[]
  queries: {
    id: string
    /** Changes whenever the content does. */
    hash: string
    /** The address of the file that manages the item. Null if it can be edited on the pages. */
    managedUrl: string | null
    content: ProjectQuery
  }[]
  boards: {
    id: string
    /** Changes whenever the content does. */
    hash: string
    /** The address of the file that manages the item. Null if it can be edited on the pages. */
    managedUrl: string | null
    content: ProjectBoard
  }[]
  automations: {
    id: string
    /** Changes whenever the content does. */
    hash: string
    /** The address of the file that manages the item. Null if it can be edited on the pages. */
    managedUrl: string | null
    content: ProjectAutomation
  }[]
  metrics: {
    id: string
    /** Changes whenever the content does. */
    hash: string
    /** The address of the file that manages the item. Null if it can be edited on the pages. */
    managedUrl: string | null
    content: ProjectMetric
  }[]
  questionSets: {
    id: string
    /** Changes whenever the content does. */
    hash: string
    /** The address of the file that manages the item. Null if it can be edited on the pages. */
    managedUrl: string | null
    content: ProjectQuestionSet
  }[]
}

/** What a file says about an automation. */
export interface ProjectAutomation {
  name: string
  agent?: 'digest' | 'model'
  enabled?: boolean
  strict?: boolean
  /** A cron expression and its time zone. */
  schedule?: {
    /** Five fields: minute, hour, day of month, month, day of week. */
    cron: string
    /** An IANA time zone, such as Europe/Berlin. */
    timeZone: string
  }
  queries?: string[]
  condition?: {
    /** The id of a query; or `path:` and the path of one that the same request creates. */
    query: string
    kind: 'row_count' | 'value' | 'changed' | 'alert'
    column?: string
    comparison?: '>' | '>=' | '<' | '<=' | '=' | '!='
    number?: number
    everyTime?: boolean
    tests?: {
      kind: 'threshold' | 'change' | 'new_rows' | 'no_rows' | 'stale' | 'unusual'
      severity?: 'info' | 'warning' | 'critical'
      /** Fires after so many results in a row. */
      forRuns?: number
      /** Left out: the number of rows. */
      column?: string
      aggregate?: 'first' | 'last' | 'min' | 'max' | 'sum'
      comparison?: '>' | '>=' | '<' | '<='
      number?: number
      /** Once it fires, it goes on until the value has passed this number too. */
      resolveAt?: number
      against?: 'previous' | 'day' | 'week' | 'month'
      direction?: 'either' | 'up' | 'down'
      by?: number
      unit?: 'percent' | 'absolute'
      keyColumns?: string[]
      hours?: number
      deviations?: number
      results?: number
    }[]
    muteWindows?: {
      /** 1 is Monday. */
      days: number[]
      /** As 22:00. */
      from: string
      /** As 06:30, or 24:00. Before `from`: on the next day. */
      to: string
      timeZone: string
    }[]
  }
  instructions: string
}

/** What a file says about a board. With tabs, all tiles are in them. */
export interface ProjectBoard {
  title: string
  description?: string
  /** The id of the folder that it is in, or `path:` and its path. Left out at the top. */
  folder?: string
  parameters?: {
    name: string
    type: 'text' | 'number' | 'date' | 'timestamp' | 'boolean' | 'dateRange'
    displayName?: string
    defaultValue?: string
    description?: string
    isList?: boolean
    options?: {
      values?: {
        /** Text that is valid for the type. */
        value: string
        /** Shown instead of the value. */
        label?: string
      }[]
      /** The column of that result with the values. */
      valueColumn?: string
      /** The column with the texts to show instead of the values. */
      labelColumn?: string
      /**
       * Names of other parameters whose values narrow the options. A value goes to the parameter of that name of
       * the reference; if it has none, only rows with that value in the column of that name are kept. Names
       * without a parameter are ignored.
       */
      dependsOn?: string[]
      /** The id of a query; or `path:` and the path of one that the same request creates. */
      query?: string
    }
  }[]
  tabs?: {
    title: string
    tiles?: {
      /** The id of a query; or `path:` and the path of one that the same request creates. */
      query?: string
      text?: string
      heading?: string
      /** The id of an image. */
      image?: string
      alt?: string
      title?: string
      shows?: 'chart' | 'table'
      place: {
        x: number
        y: number
        width: number
        height: number
      }
      parameters?: Record<string, string>
      opens?: {
        /** The id of a board; or `path:` and the path of one that the same request creates. */
        board: string
        parameter: string
        column: string
      }
      filters?: {
        column: string
        parameter: string
      }
    }[]
  }[]
  tiles?: {
    /** The id of a query; or `path:` and the path of one that the same request creates. */
    query?: string
    text?: string
    heading?: string
    /** The id of an image. */
    image?: string
    alt?: string
    title?: string
    shows?: 'chart' | 'table'
    place: {
      x: number
      y: number
      width: number
      height: number
    }
    parameters?: Record<string, string>
    opens?: {
      /** The id of a board; or `path:` and the path of one that the same request creates. */
      board: string
      parameter: string
      column: string
    }
    filters?: {
      column: string
      parameter: string
    }
  }[]
}

/** What a file says about a folder. */
export interface ProjectFolder {
  name: string
  /** The id of the folder that it is in, or `path:` and its path. Left out at the top. */
  folder?: string
}

/** What a file says about a metric: a query defines it, or SQL for a database. */
export interface ProjectMetric {
  name: string
  unit?: string
  synonyms?: string[]
  /** The e-mail address of a member. */
  owner?: string
  description?: string
  /** The id of a query; or `path:` and the path of one that the same request creates. */
  query?: string
  /** The name of the database, for a metric that SQL defines. */
  database?: string
  sql?: string
}

/** What a file says about a saved query. */
export interface ProjectQuery {
  title: string
  description?: string
  /** The id of the folder that it is in, or `path:` and its path. Left out at the top. */
  folder?: string
  /** The name of the database. */
  database: string
  freshForSeconds?: number
  parameters?: {
    name: string
    type: 'text' | 'number' | 'date' | 'timestamp' | 'boolean' | 'dateRange'
    displayName?: string
    defaultValue?: string
    description?: string
    isList?: boolean
    options?: {
      values?: {
        /** Text that is valid for the type. */
        value: string
        /** Shown instead of the value. */
        label?: string
      }[]
      /** The column of that result with the values. */
      valueColumn?: string
      /** The column with the texts to show instead of the values. */
      labelColumn?: string
      /**
       * Names of other parameters whose values narrow the options. A value goes to the parameter of that name of
       * the reference; if it has none, only rows with that value in the column of that name are kept. Names
       * without a parameter are ignored.
       */
      dependsOn?: string[]
      /** The id of a query; or `path:` and the path of one that the same request creates. */
      query?: string
    }
  }[]
  visualization?: {
    type: 'table' | 'number' | 'line' | 'bar' | 'area' | 'scatter' | 'pie' | 'combo' | 'pivot' | 'heatmap' | 'funnel' | 'histogram' | 'map'
    jsxConfig?: string
    marginConfig?: {
      top?: number
      right?: number
      bottom?: number
      left?: number
    }
    /** In the order in which the columns are shown. Columns that are not listed follow. */
    columns?: {
      /** The column of the result. */
      name: string
      /** Shown instead of the name. */
      title?: string
      isHidden?: boolean
      /** How the values of a column are written. */
      format?: {
        style: 'plain' | 'number' | 'currency' | 'percent' | 'unit' | 'date'
        /** ISO 4217, for the style `currency`. */
        currency?: string
        /** Shown after the number, for the style `unit`. */
        unit?: string
        /** Digits after the decimal point, 0 to 10. */
        decimals?: number
        /** Whether thousands are separated; true by default. */
        isGrouped?: boolean
        /** For the style `percent`: 0.12 is shown as 12%. */
        isFraction?: boolean
        /** 1,200,000 is shown as 1.2M. */
        isCompact?: boolean
        granularity?: 'year' | 'quarter' | 'month' | 'week' | 'day' | 'hour' | 'minute' | 'second'
      }
      colors?: ({
        when: 'above' | 'below' | 'between' | 'equals' | 'contains'
        value: string | number
        /** For `between`: the upper bound. */
        to?: number
        color: string
      } | {
        when: 'scale'
        /** The color of the lowest value. */
        from: string
        /** The color of the highest value. */
        to: string
      })[]
      total?: 'sum' | 'average' | 'min' | 'max' | 'count'
    }[]
    /** Whether tables end with a row of totals. */
    hasTotals?: boolean
  }
  sql: string
}

/** What a file says about a question set. */
export interface ProjectQuestionSet {
  name: string
  /** A cron expression and its time zone. */
  schedule?: {
    /** Five fields: minute, hour, day of month, month, day of week. */
    cron: string
    /** An IANA time zone, such as Europe/Berlin. */
    timeZone: string
  }
  questions?: {
    question: string
    /** The name of the database. */
    database: string
    isOrdered?: boolean
    /** By how much numbers may differ. */
    tolerance?: number
    expectedSql?: string
    /** The expected rows, each a list of values. Null if `expectedSql` is given. */
    expectedRows?: unknown[][]
  }[]
}

/** A text with everything that is needed to compute its figures again. */
export interface Proof {
  /** The text in Markdown. Figures that could not be proven are struck through: `~~12%~~`. */
  text: string
  /** The proven figures, in the order of the text. */
  figures: ProofFigure[]
}

/** A figure and what is needed to compute it again. */
export interface ProofFigure {
  /** Unique within the text. */
  id: string
  /** The figure as printed in the text. */
  text: string
  /** The exact value: a decimal number, or a label. */
  value: string
  /** Such as `%` or `€`; empty for a plain number or a label. */
  unit: string
  /** The query run whose result it was computed from. */
  runId: string
  /** The SQL that was executed. */
  sql: string
  /** The parameter values in that SQL. */
  parameters: Record<string, unknown>
  /** The hash of the result, as its `ETag` names it. */
  resultHash: string
  /** How the value is computed from the result’s rows. */
  expression: string
  /** Only for figures that compare several runs: the others that its expression names. */
  sources?: ProofSource[]
}

/** A query run that a figure was computed from. */
export interface ProofSource {
  /** The query run whose result it was computed from. */
  runId: string
  /** The SQL that was executed. */
  sql: string
  /** The parameter values in that SQL. */
  parameters: Record<string, unknown>
  /** The hash of the result, as its `ETag` names it. */
  resultHash: string
}

/** A reference with the settings of its change feed. */
export interface PublishingReference {
  id: string
  /** Identifier of the permalink, `/q/<shortId>`. Never changes. */
  shortId: string
  /** `Untitled query` until it is changed. */
  title: string
  /** Null if there is none. */
  description: string | null
  /** True while the query it points to does not exist yet. */
  isOptimistic: boolean
  /** Id of the user who created it. */
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  /** The query it points to. Saving changed SQL creates a new query, and the reference then points to that. */
  currentQuery: {
    id: string
    /** Empty while the query does not exist yet. */
    sql: string
  }
  publishesChanges: boolean
  /** The columns that identify a row. Null until there is a result to infer them from. */
  keyColumns: string[] | null
  /** Whether you chose the key columns. */
  keyChoice: 'chosen' | 'inferred'
  /** Increases with every change of its content. Send it as `If-Match`, in double quotes. */
  version: number
  latestChangeNumber: number
  /**
   * What was wrong when the last result was compared; null if nothing. The feed goes on. `key_not_unique`:
   * several rows have the same key. `key_column_missing`: the result has no such column, so the key was inferred.
   * `comparison_failed`: the rows could not be compared, so all count as replaced. `result_not_kept`: a result
   * was not stored and is not in the feed.
   */
  changesProblem: 'key_not_unique' | 'key_column_missing' | 'comparison_failed' | 'result_not_kept' | null
}

/** A stored query. `latestRun` and `latestRunMetadata` are null before its first run. */
export interface Query {
  id: string
  /** Never changes. */
  sql: string
  /** The analytical database it runs against. */
  analyticalDatabaseConfigId: string
  /** Id of the user who created it. */
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  latestRun: LatestRun | null
  latestRunMetadata: RunMetadata | null
}

/** One page of a list. All pages show the list as it was when the first page was requested. */
export interface QueryPage {
  items: ListedQuery[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
}

/** The cached result of the query’s latest successful run. */
export interface QueryResult {
  fields: ResultField[]
  /** One value per field, in the order of `fields`. */
  rows: unknown[][]
  rowCount: number
}

/**
 * A query’s run finished successfully. A person, a board, an automation or the API may have requested it. Opt-in:
 * sent only to endpoints that chose it.
 */
export interface QueryRunCompletedEvent {
  /** Equal to the `svc-webhook-id` header. The same for every attempt: deduplicate on it. */
  id: string
  type: 'query.run.completed'
  /** ISO 8601, UTC */
  createdAt: string
  data: {
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
}

/**
 * A query’s run failed: the database returned an error, a limit was reached, a person stopped it, or its worker
 * died. Opt-in: sent only to endpoints that chose it.
 */
export interface QueryRunFailedEvent {
  /** Equal to the `svc-webhook-id` header. The same for every attempt: deduplicate on it. */
  id: string
  type: 'query.run.failed'
  /** ISO 8601, UTC */
  createdAt: string
  data: {
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
}

/** Questions with known answers, to evaluate the model with. */
export interface QuestionSet {
  id: string
  name: string
  questionCount: number
  schedule: {
    /** Five fields: minute, hour, day of month, month, day of week. */
    cron: string
    /** An IANA time zone, such as Europe/Berlin. */
    timeZone: string
  } | null
  /** When it is evaluated next; null without a schedule. */
  nextDueAt: string | null
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  latestEvaluation: {
    id: string
    questionSetId: string
    questionSetName: string
    /** What the person who started it wanted to remember. */
    label: string | null
    model: string
    /** What started it: a person, the API or the schedule. */
    trigger: 'person' | 'api' | 'schedule'
    /** The person on whose behalf the model reads data. */
    requestedBy: {
      id: string
      name: string
    }
    proposal: {
      kind: 'instructions' | 'metric' | 'table'
      /** What was changed. */
      name: string
    } | null
    /** For a proposal: the evaluation without the change, to compare with. Null if there was none. */
    baselineId: string | null
    /** ISO 8601, UTC */
    requestedAt: string
    /** Null while it runs. */
    endedAt: string | null
    /** The share of correct answers among all questions, from 0 to 1. Null while it runs. */
    score: number | null
    /** How many questions have each status. */
    counts: {
      waiting: number
      running: number
      correct: number
      wrong: number
      failed: number
      stopped: number
    }
    /** Its page. */
    url: string
  } | null
  questions: {
    text: string
    /** The database that the question is about. */
    databaseId: string
    /** A statement whose result is the expected one. Null if `expectedRows` is given. */
    expectedSql: string | null
    /** The expected rows, each a list of values. Null if `expectedSql` is given. */
    expectedRows: unknown[][] | null
    /** True if the rows must be in the expected order. */
    isOrdered: boolean
    /** By how much numbers may differ. */
    tolerance: number
  }[]
  /** Differs if anything differs that you can change. Send it as `If-Match`, in double quotes. */
  version: string
}

/** One page of a list. All pages show the list as it was when the first page was requested. */
export interface QuestionSetPage {
  items: ListedQuestionSet[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
}

/** A saved query that a board or an automation reads. */
export interface ReadReference {
  shortId: string
  title: string
  /** The saved query that reads it with `ref(…)`; null if the board or automation uses it itself. */
  through: LinkedReference | null
}

/** A bookmark that points to a query and has a permalink. Several may point to the same query. */
export interface Reference {
  id: string
  /** Identifier of the permalink, `/q/<shortId>`. Never changes. */
  shortId: string
  /** `Untitled query` until it is changed. */
  title: string
  /** Null if there is none. */
  description: string | null
  /** True while the query it points to does not exist yet. */
  isOptimistic: boolean
  /** Id of the user who created it. */
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  /** The query it points to. Saving changed SQL creates a new query, and the reference then points to that. */
  currentQuery: {
    id: string
    /** Empty while the query does not exist yet. */
    sql: string
  }
}

/**
 * A new result of a saved query that publishes changes differs from the one before. Opt-in: sent only to
 * endpoints that chose it.
 */
export interface ReferenceChangedEvent {
  /** Equal to the `svc-webhook-id` header. The same for every attempt: deduplicate on it. */
  id: string
  type: 'reference.changed'
  /** ISO 8601, UTC */
  createdAt: string
  data: {
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
    sampleRows: (Record<string, unknown>)[]
  }
}

/** A reference with its parameters and, if it has one, its visualization. */
export interface ReferenceInFull {
  id: string
  /** Identifier of the permalink, `/q/<shortId>`. Never changes. */
  shortId: string
  /** `Untitled query` until it is changed. */
  title: string
  /** Null if there is none. */
  description: string | null
  /** True while the query it points to does not exist yet. */
  isOptimistic: boolean
  /** Id of the user who created it. */
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  /** The query it points to. Saving changed SQL creates a new query, and the reference then points to that. */
  currentQuery: {
    id: string
    /** Empty while the query does not exist yet. */
    sql: string
  }
  visualization?: Visualization
  parameters: ParameterDefinition[]
}

/** What a saved query reads, and what uses it. */
export interface ReferenceLineage {
  tables: LineageTable[]
  /** The saved queries that it reads with `ref(…)`. */
  references: LinkedReference[]
  /** False if the SQL may read more than is listed, for example with a table function. */
  isComplete: boolean
  usedBy: {
    /** The saved queries that read it with `ref(…)`. */
    references: LinkedReference[]
    /** Boards with a tile that shows it. */
    boards: LinkedBoard[]
    /** Automations that look at it or watch it. */
    automations: LinkedAutomation[]
  }
}

/** One page of a list. All pages show the list as it was when the first page was requested. */
export interface ReferencePage {
  items: Reference[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
}

/** How a result of a reference differs from the one before. */
export interface ResultChange {
  /** 1, 2, 3, … without gaps for each reference. */
  number: number
  /** When the run with the later result completed. */
  at: string
  /** The run with the earlier result. */
  fromRunId: string
  /** The run with the later result. */
  toRunId: string
  /** The hash of the earlier result: `toResultHash` of the change before. */
  fromResultHash: string
  /** The hash of the later result, as in its `ETag`. */
  toResultHash: string
  /** The columns that identify a row. */
  keyColumns: string[]
  /** Whether the key occurs at most once in each result. */
  isKeyUnique: boolean
  /** True if the columns differ: then all rows are removed and added. */
  isReplacement: boolean
  added: number
  removed: number
  changed: number
  /** The changed rows. */
  rowsUrl: string
  /** The exact difference, with the order of the rows. */
  patchUrl: string
}

/** What changed between two results of a reference. */
export interface ResultComparison {
  from: KeptResult
  to: KeptResult
  keyColumns: string[]
  /**
   * `chosen` by you, `inferred` because it is unique in both results, or `all_columns`, because there is no such
   * key.
   */
  keyChoice: 'chosen' | 'inferred' | 'all_columns'
  /** Whether the key occurs at most once in each result. */
  isKeyUnique: boolean
  columns: {
    added: {
      name: string
      type: 'integer' | 'number' | 'decimal' | 'string' | 'boolean' | 'date' | 'timestamp' | 'json'
    }[]
    removed: {
      name: string
      type: 'integer' | 'number' | 'decimal' | 'string' | 'boolean' | 'date' | 'timestamp' | 'json'
    }[]
    changed: {
      name: string
      before: 'integer' | 'number' | 'decimal' | 'string' | 'boolean' | 'date' | 'timestamp' | 'json'
      after: 'integer' | 'number' | 'decimal' | 'string' | 'boolean' | 'date' | 'timestamp' | 'json'
    }[]
    isReordered: boolean
  }
  added: number
  removed: number
  changed: number
  unchanged: number
  /** Added and changed rows in the order of the later result, then removed rows in the order of the earlier one. */
  rows: ChangedRow[]
}

/**
 * A column. Integers beyond ±(2^53-1) and all decimals are exact JSON strings; timestamps are ISO 8601 in UTC,
 * dates `YYYY-MM-DD`, bytes base64.
 */
export interface ResultField {
  name: string
  type: 'integer' | 'number' | 'decimal' | 'string' | 'boolean' | 'date' | 'timestamp' | 'json'
}

/** One execution of a query. */
export interface Run {
  id: string
  queryId: string
  status: RunStatus
  /** ISO 8601, UTC */
  runAt: string
  /** What triggered the run: `key_…`, `user_…` or the id of an automation run. */
  triggerId: string
  /** The value of every placeholder, by name. The value of a list is an array. */
  parameterValues: Record<string, (string | number | boolean)[] | string | number | boolean>
  /** The exact SQL that is executed, with parameters substituted. */
  renderedSql: string
}

/** An automation’s run finished successfully. */
export interface RunCompletedEvent {
  /** Equal to the `svc-webhook-id` header. The same for every attempt: deduplicate on it. */
  id: string
  type: 'automation.run.completed'
  /** ISO 8601, UTC */
  createdAt: string
  data: {
    automationId: string
    automationName: string
    runId: string
    /** The permalink of the run’s chat. */
    chatUrl: string
    /** What the run found, as plain text. */
    summary: string
    /** Reserved; always null. */
    imageUrl: null
  }
}

/** An automation’s run failed, or was stopped before completing. */
export interface RunFailedEvent {
  /** Equal to the `svc-webhook-id` header. The same for every attempt: deduplicate on it. */
  id: string
  type: 'automation.run.failed'
  /** ISO 8601, UTC */
  createdAt: string
  data: {
    automationId: string
    automationName: string
    runId: string
    /** The permalink of the run’s chat. */
    chatUrl: string
    /** Why it failed, or that it was stopped and by whom. */
    reason: string
  }
}

/** Statistics of the latest run. Null until known, or if the engine does not report them. */
export interface RunMetadata {
  status: RunStatus
  rowsRead: number | null
  rowsWritten: number | null
  bytesRead: number | null
  /** Number of rows in the result. */
  rowCount: number | null
  durationMs: number | null
  /** Why the run failed, as text for people. Null unless it failed. */
  failureReason: string | null
}

/** `pending`, then `running`, then `completed` or `failed`. The last two are final. */
export type RunStatus = 'pending' | 'running' | 'completed' | 'failed'

/** A sample event that is being sent. */
export interface SampleEvent {
  /** The same for every endpoint. */
  id: string
  type: 'automation.run.completed' | 'automation.run.failed' | 'query.run.completed' | 'query.run.failed' | 'board.report.sent' | 'automation.alert.fired' | 'automation.alert.resolved' | 'reference.changed'
  /** ISO 8601, UTC */
  createdAt: string
  /** Number of current listeners in the organization. */
  listenerCount: number
  /** The delivery to the given endpoint; otherwise null. */
  deliveryId: string | null
}

/** One page of a list. All pages show the list as it was when the first page was requested. */
export interface SavedQueryPage {
  items: Reference[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
}

/** A reference with its parameters, its version and, if it has one, its visualization. */
export interface SavedReference {
  id: string
  /** Identifier of the permalink, `/q/<shortId>`. Never changes. */
  shortId: string
  /** `Untitled query` until it is changed. */
  title: string
  /** Null if there is none. */
  description: string | null
  /** True while the query it points to does not exist yet. */
  isOptimistic: boolean
  /** Id of the user who created it. */
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  /** The query it points to. Saving changed SQL creates a new query, and the reference then points to that. */
  currentQuery: {
    id: string
    /** Empty while the query does not exist yet. */
    sql: string
  }
  visualization?: Visualization
  parameters: ParameterDefinition[]
  /** Increases with every change of its content. Send it as `If-Match`, in double quotes. */
  version: number
}

/** The saved queries. */
export interface SavedReferences {
  /** In the order of the request. */
  items: SavedReference[]
}

/** Colors all cells, from the lowest value to the highest. */
export interface ScaleRule {
  when: 'scale'
  /** The color of the lowest value. */
  from: string
  /** The color of the highest value. */
  to: string
}

/** A cron expression and its time zone. */
export interface Schedule {
  /** Five fields: minute, hour, day of month, month, day of week. */
  cron: string
  /** An IANA time zone, such as Europe/Berlin. */
  timeZone: string
}

/** The data of `webhook`: one event, as an endpoint would receive it. */
export interface StreamedEvent {
  /** The same for every endpoint. */
  id: string
  type: 'automation.run.completed' | 'automation.run.failed' | 'query.run.completed' | 'query.run.failed' | 'board.report.sent' | 'automation.alert.fired' | 'automation.alert.resolved' | 'reference.changed'
  /** ISO 8601, UTC */
  createdAt: string
  /** True for a sample event, which reports no real change. */
  isTest: boolean
  /** All headers of a delivery to an endpoint, freshly signed with the stream’s secret. */
  headers: Record<string, string>
  /** The exact body that endpoints receive. Verify this text, then parse it. */
  body: string
}

/** A saved query that reads a table. */
export interface TableReader {
  shortId: string
  title: string
  /** False if the SQL does not tell whether it reads the column. */
  isCertain: boolean
  /** The saved query through which it reads the table; null if it reads it itself. */
  through: LinkedReference | null
}

/** What uses a table or a column, directly and through saved queries. */
export interface TableUsers {
  references: TableReader[]
  /** Boards with a tile that shows it. */
  boards: LinkedBoard[]
  /** Automations that look at it or watch it. */
  automations: LinkedAutomation[]
}

/** A question with the result that answers it. */
export interface TestQuestion {
  text: string
  /** The database that the question is about. */
  databaseId: string
  /** A statement whose result is the expected one. Null if `expectedRows` is given. */
  expectedSql: string | null
  /** The expected rows, each a list of values. Null if `expectedSql` is given. */
  expectedRows: unknown[][] | null
  /** True if the rows must be in the expected order. */
  isOrdered: boolean
  /** By how much numbers may differ. */
  tolerance: number
}

/** A part of a board, placed on 12 columns. */
export interface Tile {
  id: string
  kind: TileKind
  /** The query of a `reference` tile: the `shortId` of its reference. */
  referenceShortId?: string
  /** Markdown of a `text` tile, the words of a `heading`, the alternative text of an `image`. */
  text?: string
  /** Shown instead of the title of the query. */
  title?: string
  /** How the result is shown. By default as on the query’s own page. */
  shows?: 'chart' | 'table'
  /** The image of an `image` tile. */
  imageId?: string
  /** The tab that the tile is on. By default the first. */
  tabId?: string
  /** The first of its columns, from 0 to 11. */
  x: number
  /** The first of its rows, from 0. */
  y: number
  /** In columns. */
  width: number
  /** In rows. */
  height: number
  /** Parameters of the query, each with the name of the board’s parameter that gives its value. */
  parameterMapping?: Record<string, string>
  /** A click opens another board, with the value of a column as its parameter. */
  opens?: {
    boardShortId: string
    parameter: string
    column: string
  }
  /** A click on a category sets a parameter of this board to the value of a column. */
  filters?: {
    column: string
    parameter: string
  }
}

/** What the tile shows: the result of a query, Markdown, a heading or an image. */
export type TileKind = 'reference' | 'text' | 'heading' | 'image'

/** The state of one tile that shows a query. */
export interface TileResult {
  tileId: string
  status: TileState
  /** The newest run with the tile’s values whose result is stored, even if a newer one is running or has failed. */
  runId: string | null
  /** When that run completed. */
  completedAt: string | null
  /** Why it failed, as text for people. */
  failureReason: string | null
  /** The run with these values that is pending or running. Null while it waits for another run of the query. */
  runningRunId: string | null
  /** When that run was requested. */
  runningSince: string | null
  /** Percentage of the work before the first row that is done; null unless the run is running. */
  progress: number | null
  /** Number of rows written so far; null unless the run is running. */
  rowCountSoFar: number | null
  /**
   * True if a person stopped the newest run with these values. The status is then `failed`, unless there is an
   * earlier result.
   */
  isStopped: boolean
}

/**
 * `ready`: the result is stored. `running`: a run with these values is waiting or running. `failed`: the newest
 * run with these values failed, or the tile cannot be run. `expired`: the result is no longer stored. `missing`:
 * it was never run with these values.
 */
export type TileState = 'ready' | 'running' | 'missing' | 'failed' | 'expired'

/** How the result is displayed. */
export interface Visualization {
  type: 'table' | 'number' | 'line' | 'bar' | 'area' | 'scatter' | 'pie' | 'combo' | 'pivot' | 'heatmap' | 'funnel' | 'histogram' | 'map'
  /** The chart as declarative JSX. It is parsed and checked as data, never evaluated. */
  jsxConfig: string
  /** The space around the chart, in pixels. */
  marginConfig: {
    top: number
    right: number
    bottom: number
    left: number
  }
  /** In the order in which the columns are shown. Columns that are not listed follow. */
  columns?: ColumnSettings[]
  /** Whether tables end with a row of totals. */
  hasTotals?: boolean
}

/** A URL that receives events as signed requests, without its secret. */
export interface WebhookEndpoint {
  id: string
  url: string
  description: string | null
  eventTypes: ('automation.run.completed' | 'automation.run.failed' | 'query.run.completed' | 'query.run.failed' | 'board.report.sent' | 'automation.alert.fired' | 'automation.alert.resolved' | 'reference.changed')[]
  /** Events of the same automation or query are sent one after the other. */
  isOrdered: boolean
  state: 'enabled' | 'disabled'
  /** Consecutive events that exhausted all attempts. */
  consecutiveFailures: number
  disabledAt: string | null
  disabledReason: string | null
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  /** Outcomes of the last 100 deliveries. */
  health: {
    delivered: number
    exhausted: number
    pending: number
    /** Pending deliveries that have failed at least once. */
    retrying: number
    held: number
    durationP95Ms: number | null
    lastFailure: {
      deliveryId: string
      /** ISO 8601, UTC */
      at: string
      message: string
    } | null
  }
  /** Counted up to 1,000. */
  heldCount: number
  /** Differs if anything differs that you can change. Send it as `If-Match`, in double quotes. */
  version: string
}

/** One page of a list. All pages show the list as it was when the first page was requested. */
export interface WebhookEndpointPage {
  items: WebhookEndpoint[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
}

/** The secret that signs, and the one that signs once it is activated. */
export interface WebhookSecrets {
  /** Null if it cannot be decrypted. */
  secret: string | null
  /** Null if there is none. */
  nextSecret: string | null
}
