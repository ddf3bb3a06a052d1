// Made from the service’s OpenAPI document by `npm run types`; a test keeps it so. Not for editing.

/** One run of an automation. */
export interface AutomationRun {
  id: string
  automationId: string
  automationName: string
  /** `digest` needs no model and states figures and what changed; `model` asks the organization’s model. */
  agent: 'digest' | 'model'
  status: RunStatus
  /** What made it run: `api` for this route. */
  trigger: 'schedule' | 'condition' | 'person' | 'api' | 'question'
  /** Who or what caused it: `key_…`, `user_…` or `automation_…`. */
  triggerId: string
  /** ISO 8601, UTC */
  requestedAt: string
  /** The time it was due, for a schedule; else null. */
  dueAt: string | null
  /** How many more due times it stands for; counted up to 1000. */
  missedCount: number
  /** True when it began more than a minute after its due time. */
  isLate: boolean
  /** Null until an agent takes it. */
  startedAt: string | null
  /** Null until it has completed or failed. */
  endedAt: string | null
  /** What the run found, as plain text. Null unless it completed. */
  summary: string | null
  /** Why it failed, or that it was stopped and by whom. Null unless it failed. */
  reason: string | null
  /** True if a person stopped it. Its status is then `failed`. */
  isStopped: boolean
  /** The permalink of its chat, which holds every step. */
  chatUrl: string
  chatShortId: string
  usage: ModelUsage | null
  event: AutomationRunEvent | null
}

/** The event that told of the run’s end. Null before the end, and once events of that time are no longer kept. */
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
    /** Of a run that completed. */
    summary?: string
    /** Reserved; of a run that completed. */
    imageUrl?: null
    /** Of a run that failed. */
    reason?: string
  }
  deliveries: EventDelivery[]
}

/** What was deleted. */
export interface DeletedReference {
  id: string
  /** Its permalink answers 404 from now on. */
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

/** What every refusal and every fault says. */
export interface ErrorBody {
  /** Whose fault it is: `invalid_request` the caller’s (4xx), `api_error` the service’s (5xx). */
  type: 'invalid_request' | 'api_error'
  code: ErrorCode
  /** For people: what is wrong, and what to do. Its words may change. */
  message: string
  /** Where the code is explained. */
  documentation_url: string
  /** Which parts of the request are at fault, where they are known. */
  details?: {
    /** `/title` for a field of the body, `limit` for a query parameter. */
    path: string
    message: string
  }[]
}

/** Stable, for programs. There may be more of them one day: treat one that you do not know by its status. */
export type ErrorCode =
  | 'automation_already_running'
  | 'automation_not_found'
  | 'automation_run_not_found'
  | 'body_too_large'
  | 'cursor_expired'
  | 'cursor_invalid'
  | 'database_not_found'
  | 'endpoint_not_found'
  | 'forbidden'
  | 'internal_error'
  | 'invalid_request'
  | 'method_not_allowed'
  | 'parameter_invalid'
  | 'parameter_missing'
  | 'query_already_running'
  | 'query_not_found'
  | 'reference_not_found'
  | 'request_timeout'
  | 'result_expired'
  | 'result_not_available'
  | 'route_not_found'
  | 'route_retired'
  | 'store_unavailable'
  | 'too_many_requests'
  | 'unauthenticated'

/** How one endpoint’s delivery of the event stands. */
export interface EventDelivery {
  id: string
  endpointId: string
  url: string
  state: 'pending' | 'delivered' | 'exhausted' | 'held'
}

/** The data of `ready`, the first event of a stream: from here on nothing is missed. */
export interface EventStreamReady {
  /** What verifies the events of this stream: yours alone, the same each time, and no endpoint’s. */
  secret: string
  /** True when there were events after `Last-Event-ID` that are older than an hour, or when it is not known here. */
  hasMissedEvents: boolean
}

/** The query’s latest run. */
export interface LatestRun {
  id: string
  status: RunStatus
  /** When the run was asked for. */
  runAt: string
  /** When it completed or failed; null until then. */
  completedAt: string | null
}

/** A stored query, as lists show it. */
export interface ListedQuery {
  id: string
  /** Never changes. */
  sql: string
  /** The analytical database it runs against. */
  analyticalDatabaseConfigId: string
  /** The id of the user who made it. */
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  latestRun: ListedRun | null
}

/** The latest run, as it was at the first page. Null before the first run. */
export interface ListedRun {
  id: string
  status: RunStatus
  /** ISO 8601, UTC */
  runAt: string
}

/** The person the key belongs to, their organization and role, and the key itself. */
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
  role: 'admin' | 'member'
  key: {
    id: string
    /** The name it was given when it was made. */
    name: string
  }
}

/** What the model was asked for. Null for a digest. */
export interface ModelUsage {
  inputTokens: number
  outputTokens: number
  /** How often the model was asked. */
  steps: number
}

/** What a placeholder of the SQL may be given. */
export interface ParameterDefinition {
  /** SQL refers to it as `{{name}}`. */
  name: string
  displayName: string
  type: 'text' | 'number' | 'date' | 'timestamp' | 'boolean'
  /** Text that fits the type; empty means none, except for `text`. */
  defaultValue: string
  description: string
}

/** A stored query. `latestRun` and `latestRunMetadata` are null before its first run. */
export interface Query {
  id: string
  /** Never changes. */
  sql: string
  /** The analytical database it runs against. */
  analyticalDatabaseConfigId: string
  /** The id of the user who made it. */
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  latestRun: LatestRun | null
  latestRunMetadata: RunMetadata | null
}

/** One page of a list, which shows all of it as it was when the first page was asked for. */
export interface QueryPage {
  items: ListedQuery[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
}

/** The cached result of the query’s latest successful run. */
export interface QueryResult {
  fields: ResultField[]
  /** One value a field, in the order of the fields. */
  rows: unknown[][]
  rowCount: number
}

/** A bookmark that points to a query and has a permalink. Several may point to the same query. */
export interface Reference {
  id: string
  /** Names the permalink, `/q/<shortId>`. Never changes. */
  shortId: string
  /** `Untitled query` until somebody gives it another. */
  title: string
  /** Null when it has none. */
  description: string | null
  /** True while the query it points to does not exist yet. */
  isOptimistic: boolean
  /** The id of the user who made it. */
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  /** The query it points to. Changed SQL is a new query, and the reference moves to it. */
  currentQuery: {
    id: string
    /** Empty while the query does not exist yet. */
    sql: string
  }
}

/** A reference with its visualization, where it has one, and its parameters. */
export interface ReferenceInFull {
  id: string
  /** Names the permalink, `/q/<shortId>`. Never changes. */
  shortId: string
  /** `Untitled query` until somebody gives it another. */
  title: string
  /** Null when it has none. */
  description: string | null
  /** True while the query it points to does not exist yet. */
  isOptimistic: boolean
  /** The id of the user who made it. */
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  /** The query it points to. Changed SQL is a new query, and the reference moves to it. */
  currentQuery: {
    id: string
    /** Empty while the query does not exist yet. */
    sql: string
  }
  visualization?: Visualization
  parameters: ParameterDefinition[]
}

/** One page of a list, which shows all of it as it was when the first page was asked for. */
export interface ReferencePage {
  items: Reference[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
}

/**
 * A column. Integers beyond ±(2^53-1) and all decimals are JSON strings, exact; timestamps ISO 8601 in UTC, dates
 * `YYYY-MM-DD`, bytes base64.
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
  /** What caused it: `key_…`, `user_…` or an automation’s run. */
  triggerId: string
  /** The value of every placeholder, by its name. */
  parameterValues: Record<string, string | number | boolean>
  /** The exact SQL that is executed, its parameters put in. */
  renderedSql: string
}

/** An automation’s run finished successfully. */
export interface RunCompletedEvent {
  /** Equal to the header `svc-webhook-id`. The same in every attempt: deduplicate on it. */
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
  /** Equal to the header `svc-webhook-id`. The same in every attempt: deduplicate on it. */
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

/** Figures of the latest run. Null until they are known, and where the engine does not tell them. */
export interface RunMetadata {
  status: RunStatus
  rowsRead: number | null
  rowsWritten: number | null
  bytesRead: number | null
  /** How many rows the result has. */
  rowCount: number | null
  durationMs: number | null
  /** Why it failed, for people; null unless it did. */
  failureReason: string | null
}

/** `pending`, then `running`, then `completed` or `failed`. What has completed or failed stays so. */
export type RunStatus = 'pending' | 'running' | 'completed' | 'failed'

/** A sample that is on its way. */
export interface SampleEvent {
  /** The same at every endpoint. */
  id: string
  type: 'automation.run.completed' | 'automation.run.failed'
  /** ISO 8601, UTC */
  createdAt: string
  /** How many listen in the organization now. */
  listenerCount: number
  /** The delivery to the endpoint that was named; else null. */
  deliveryId: string | null
}

/** The data of `webhook`: one event, as an endpoint would get it. */
export interface StreamedEvent {
  /** The same at every endpoint. */
  id: string
  type: 'automation.run.completed' | 'automation.run.failed'
  /** ISO 8601, UTC */
  createdAt: string
  /** True for a sample, which tells of no run. */
  isTest: boolean
  /** All headers that a delivery to an endpoint carries, signed now with the stream’s secret. */
  headers: Record<string, string>
  /** The body, byte for byte as endpoints get it. Verify this text, then parse it. */
  body: string
}

/** How the result is drawn. */
export interface Visualization {
  type: 'table' | 'number' | 'line' | 'bar' | 'area' | 'scatter' | 'pie'
  /** The chart, as declarative JSX. It is data: read and checked, never evaluated. */
  jsxConfig: string
  /** The room around the chart, in pixels. */
  marginConfig: {
    top: number
    right: number
    bottom: number
    left: number
  }
}
