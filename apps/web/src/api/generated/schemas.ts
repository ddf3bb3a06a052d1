// Made from the schemas of the pages’ routes by `npm run types`; a test keeps it so. Not for editing.

/** The signed-in person’s own account. */
export interface Account {
  id: string
  email: string
  name: string
  /** False for somebody who only ever signed in through the OIDC provider. */
  hasPassword: boolean
}

/** A place where the person is signed in. */
export interface AccountSession {
  id: string
  /** ISO 8601, UTC */
  createdAt: string
  /** To the minute. */
  lastSeenAt: string
  /** The browser’s name for itself at sign-in. */
  userAgent: string | null
  organizationName: string
  /** True for the session that asks. */
  isCurrent: boolean
}

export type ActorKind = 'user' | 'key' | 'agent' | 'service' | 'operator' | 'anonymous'

export interface AddedOrganization {
  id: string
  name: string
  role: Role
}

/** An agent’s answer to a question in a chat. */
export interface AgentAnswer {
  id: string
  status: RunStatus
  agent: AgentKind
  trigger: AgentRunTrigger
  /** ISO 8601, UTC */
  requestedAt: string
  startedAt: string | null
  endedAt: string | null
  /** Why it failed. Null unless it did. */
  reason: string | null
  /** True if a person stopped it. Its status is then `failed`. */
  isStopped: boolean
}

export type AgentKind = 'digest' | 'model'

export type AgentRun = ListedAutomationRun | AgentAnswer

export type AgentRunTrigger = 'schedule' | 'condition' | 'person' | 'api' | 'question'

export interface Attempt {
  number: number
  /** ISO 8601, UTC */
  at: string
  durationMs: number
  phases: {
    dnsMs: number | null
    connectMs: number | null
    tlsMs: number | null
    responseMs: number | null
    bodyMs: number | null
  }
  /** The address that was dialled; null when none was. */
  address: string | null
  status: number | null
  failure: {
    kind: string
    message: string
  } | null
  /** The beginning of the response’s body. */
  response: string
  /** As they were sent; null when nothing was. */
  requestHeaders: Record<string, string> | null
}

export interface AuditAction {
  action: AuditActionName
  group: string
  meaning: string
}

export type AuditActionName =
  | 'session.started'
  | 'session.failed'
  | 'session.ended'
  | 'password.changed'
  | 'password.reset_requested'
  | 'password.reset'
  | 'account.changed'
  | 'member.joined'
  | 'member.role_changed'
  | 'member.removed'
  | 'member.left'
  | 'invitation.created'
  | 'invitation.withdrawn'
  | 'api_key.created'
  | 'api_key.revoked'
  | 'organization.created'
  | 'organization.changed'
  | 'database.created'
  | 'database.changed'
  | 'database.tested'
  | 'database.table_imported'
  | 'database.deleted'
  | 'query.created'
  | 'reference.created'
  | 'reference.changed'
  | 'reference.deleted'
  | 'reference.restored'
  | 'webhook_endpoint.created'
  | 'webhook_endpoint.changed'
  | 'webhook_endpoint.enabled'
  | 'webhook_endpoint.disabled'
  | 'webhook_endpoint.deleted'
  | 'webhook_endpoint.secret_shown'
  | 'webhook_endpoint.secret_rotated'
  | 'webhook_endpoint.secret_activated'
  | 'webhook_endpoint.secret_cancelled'
  | 'webhook_endpoint.test_sent'
  | 'webhook_endpoint.held_sent'
  | 'webhook_endpoint.replayed'
  | 'delivery.resent'
  | 'automation.created'
  | 'automation.changed'
  | 'automation.enabled'
  | 'automation.disabled'
  | 'automation.deleted'
  | 'model_settings.changed'
  | 'model_settings.deleted'
  | 'data_connector.created'
  | 'data_connector.changed'
  | 'data_connector.deleted'
  | 'audit_log.exported'

export type AuditExportFormat = 'csv' | 'jsonl'

/** Who did what to what, when, and from where. Names are those of that time. */
export interface AuditRecord {
  id: string
  /** ISO 8601, UTC */
  occurredAt: string
  action: AuditActionName
  actor: {
    kind: ActorKind
    id: string | null
    /** Of the key, or of the automation. */
    name: string | null
    user: Person | null
  }
  subject: {
    type: SubjectType
    id: string | null
    name: string | null
  }
  details: {
    changes?: Record<string, {
      before?: unknown
      after?: unknown
    }>
    [key: string]: unknown
  }
  address: string | null
  requestId: string | null
}

/** Has an agent look at references, and says when. */
export interface Automation {
  id: string
  name: string
  instructions: string
  agent: AgentKind
  /** shortIds. */
  references: string[]
  schedule: Schedule | null
  condition: Condition | null
  conditionState: ConditionState | null
  enabled: boolean
  nextDueAt: string | null
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  latestRun: {
    id: string
    status: RunStatus
    /** ISO 8601, UTC */
    requestedAt: string
    endedAt: string | null
    chatUrl: string
  } | null
}

export interface AutomationChange {
  name?: string
  instructions?: string
  references?: string[]
  schedule?: Schedule | null
  condition?: GivenCondition | null
  agent?: AgentKind
  enabled?: boolean
}

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

/** The references that match a search best, best first. */
export interface BestReferences {
  items: FoundReference[]
  /** Whether these are all that match. If not, the list has more. */
  isComplete: boolean
}

/** The agent drew a chart. */
export interface ChartStep {
  number: number
  /** ISO 8601, UTC */
  createdAt: string
  /** Of the chat, when this message changed last. */
  revision: number
  /** Null for what a person wrote. */
  agentRunId: string | null
  user: {
    id: string
    name: string
  } | null
  kind: 'chart'
  title: string
  runId: string
  visualization: Visualization
  preview: FirstRows | null
}

/** The record of what an agent did and said, with the questions that people asked in between. */
export interface Chat {
  shortId: string
  title: string
  url: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  automation: {
    id: string
    name: string
  } | null
  /** Grows with every change. */
  revision: number
  run: AgentRun | null
  /** Whether something can be asked now: a model is set up, and no agent is at work. */
  canAsk: boolean
  messages: Message[]
}

/** What has changed in a chat since a revision. */
export interface ChatNews {
  /** Grows with every change. */
  revision: number
  run: AgentRun | null
  /** Whether something can be asked now: a model is set up, and no agent is at work. */
  canAsk: boolean
  messages: Message[]
}

export interface Column {
  name: string
  /** As the database itself names it. */
  type: string
  nullable: boolean
}

export type Comparison = '>' | '>=' | '<' | '<=' | '=' | '!='

/** What the result of a reference must be for a run to begin. */
export type Condition = {
  /** A shortId. */
  reference: string
  /** Runs at every result that meets it, not only at the first. */
  everyTime?: boolean
  kind: 'row_count'
  comparison: Comparison
  number: number
} | {
  /** A shortId. */
  reference: string
  /** Runs at every result that meets it, not only at the first. */
  everyTime?: boolean
  kind: 'value'
  column: string
  comparison: Comparison
  number: number
} | {
  /** A shortId. */
  reference: string
  /** Runs at every result that meets it, not only at the first. */
  everyTime?: boolean
  kind: 'changed'
}

/** What the condition found the last time. */
export interface ConditionState {
  /** The query’s run whose result was judged; null before there was one. */
  runId: string | null
  /** Of that result. */
  resultHash: string | null
  isMet: boolean
  /** ISO 8601, UTC */
  judgedAt: string
  /** What was found, or why it could not be judged, in words. */
  finding: string
}

export type ConnectorTest = {
  ok: true
  durationMs: number
  server: {
    name: string
    version: string
  }
  tools: {
    name: string
    description: string
  }[]
  /** What an agent is told beside its tools. */
  problems: string[]
} | {
  ok: false
  message: string
}

/** The only answer that shows the key itself. */
export interface CreatedApiKey {
  id: string
  name: string
  /** Its first characters, to recognize it by. */
  prefix: string
  /** ISO 8601, UTC */
  createdAt: string
  /** To the minute; null when it was never used. */
  lastUsedAt: string | null
  key: string
}

export interface CreatedEndpoint {
  id: string
  url: string
  description: string | null
  eventTypes: EventType[]
  state: EndpointState
  /** Events in a row that used up all their attempts. */
  consecutiveFailures: number
  disabledAt: string | null
  disabledReason: string | null
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  health: EndpointHealth
  /** Counted up to 1,000. */
  heldCount: number
  secret: string
}

/**
 * A server of the Model Context Protocol whose tools the model agent may use. The values of its headers are in no
 * answer.
 */
export interface DataConnector {
  id: string
  name: string
  url: string
  headerNames: string[]
  enabled: boolean
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
}

export interface DataConnectorChange {
  name?: string
  url?: string
  headers?: Record<string, string>
  enabled?: boolean
}

/** An analytical database configuration: what queries run against. */
export type Database = DuckdbDatabase | ServerDatabase

export type DatabaseInFull = {
  id: string
  name: string
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** Tables and views when it was last described; null until then. */
  tableCount: number | null
  lastTest: LastTest | null
  engine: 'duckdb'
  settings: {
    file: string
  }
  /** Saved queries that run against it, counted up to 1,000: while there are any, it cannot be deleted. */
  savedQueryCount: number
} | {
  id: string
  name: string
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** Tables and views when it was last described; null until then. */
  tableCount: number | null
  lastTest: LastTest | null
  engine: ServerEngine
  settings: ServerSettings
  /** The password itself is in no answer. */
  hasPassword: boolean
  /** Saved queries that run against it, counted up to 1,000: while there are any, it cannot be deleted. */
  savedQueryCount: number
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

export interface Delivery {
  id: string
  eventId: string
  eventType: EventType
  endpointId: string
  state: DeliveryState
  isTest: boolean
  requestedBy: string | null
  requestedByName: string | null
  /** ISO 8601, UTC */
  createdAt: string
  nextAttemptAt: string | null
  endedAt: string | null
  heldAt: string | null
  attemptCount: number
  /** A worker is making an attempt right now. */
  isBeingSent: boolean
  attempts: Attempt[]
  request: {
    url: string
    headers: Record<string, string>
    body: string
  }
}

export interface DeliveryCount {
  count: number
}

export type DeliveryState = 'pending' | 'delivered' | 'exhausted' | 'held'

export type DownloadFormat = 'json' | 'jsonl' | 'csv' | 'parquet' | 'arrow'

export interface DuckdbDatabase {
  id: string
  name: string
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** Tables and views when it was last described; null until then. */
  tableCount: number | null
  lastTest: LastTest | null
  engine: 'duckdb'
  settings: {
    file: string
  }
}

export type EmailTest = {
  ok: true
} | {
  ok: false
  message: string
}

export interface Endpoint {
  id: string
  url: string
  description: string | null
  eventTypes: EventType[]
  state: EndpointState
  /** Events in a row that used up all their attempts. */
  consecutiveFailures: number
  disabledAt: string | null
  disabledReason: string | null
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  health: EndpointHealth
  /** Counted up to 1,000. */
  heldCount: number
}

export interface EndpointChange {
  url?: string
  description?: string | null
  eventTypes?: EventType[]
}

/** How the last 100 deliveries went. */
export interface EndpointHealth {
  delivered: number
  exhausted: number
  pending: number
  /** Of those that are pending: how many have failed at least once. */
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

export interface EndpointSecrets {
  /** Null when it cannot be read. */
  secret: string | null
  /** Null when there is none. */
  nextSecret: string | null
}

export interface EndpointSeries {
  parts: SeriesPart[]
  /** Set when there was more than the service looks at: the series begins here. */
  countedFrom: string | null
}

export type EndpointState = 'enabled' | 'disabled'

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
  | 'api_key_not_found'
  | 'automation_already_running'
  | 'automation_not_found'
  | 'automation_run_not_found'
  | 'body_too_large'
  | 'chat_already_answering'
  | 'chat_not_found'
  | 'count_changed'
  | 'cursor_expired'
  | 'cursor_invalid'
  | 'data_connector_not_found'
  | 'database_in_use'
  | 'database_not_found'
  | 'database_unreachable'
  | 'delivery_not_found'
  | 'endpoint_disabled'
  | 'endpoint_not_found'
  | 'event_expired'
  | 'file_unreadable'
  | 'forbidden'
  | 'internal_error'
  | 'invalid_request'
  | 'invitation_not_found'
  | 'last_admin'
  | 'link_not_valid'
  | 'member_not_found'
  | 'method_not_allowed'
  | 'model_not_configured'
  | 'next_secret_missing'
  | 'organization_changed'
  | 'organization_not_found'
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
  | 'run_already_ended'
  | 'run_not_found'
  | 'secret_unreadable'
  | 'session_not_found'
  | 'store_unavailable'
  | 'table_exists'
  | 'table_not_found'
  | 'table_unreadable'
  | 'too_many_requests'
  | 'unauthenticated'

/** Where in `renderedSql` the fault is. Both count from 1. */
export interface ErrorPosition {
  line: number
  column: number
}

/** How one endpoint’s delivery of the event stands. */
export interface EventDelivery {
  id: string
  endpointId: string
  url: string
  state: 'pending' | 'delivered' | 'exhausted' | 'held'
}

export type EventType = 'automation.run.completed' | 'automation.run.failed'

export interface FailureMessage {
  number: number
  /** ISO 8601, UTC */
  createdAt: string
  /** Of the chat, when this message changed last. */
  revision: number
  /** Null for what a person wrote. */
  agentRunId: string | null
  user: {
    id: string
    name: string
  } | null
  kind: 'failure'
  reason: string
  /** True if a person stopped the run. */
  isStopped?: boolean
}

/** A column of a result. */
export interface Field {
  name: string
  type: FieldType
}

export type FieldType = 'integer' | 'number' | 'decimal' | 'string' | 'boolean' | 'date' | 'timestamp' | 'json'

export type FileFormat = 'csv' | 'jsonl' | 'json' | 'parquet'

/** The beginning of a result. */
export interface FirstRows {
  fields: Field[]
  rows: unknown[][]
}

/** A reference as a list shows it, with what helps to choose among many. */
export interface FoundReference {
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
  createdByName: string
  /** Null while the reference is optimistic. */
  analyticalDatabaseConfigId: string | null
  visualizationType: VisualizationType | null
  latestRun: LatestRunOfReference | null
}

export interface GivenCondition {
  reference: string
  kind: 'row_count' | 'value' | 'changed'
  column?: string
  comparison?: Comparison
  number?: number
  everyTime?: boolean
}

export interface GivenDataConnector {
  name: string
  url: string
  headers?: Record<string, string>
  enabled?: boolean
}

export interface GivenEndpoint {
  url: string
  description?: string | null
  eventTypes: EventType[]
}

export interface GivenModelSettings {
  provider: ModelProvider
  baseUrl?: string
  model: string
  /** Left out: the stored key is kept. Null removes it. */
  apiKey?: string | null
}

export interface GivenParameter {
  name: string
  type: 'text' | 'number' | 'date' | 'timestamp' | 'boolean'
  displayName?: string
  defaultValue?: string
  description?: string
}

export interface GivenVisualization {
  type: 'table' | 'number' | 'line' | 'bar' | 'area' | 'scatter' | 'pie'
  jsxConfig?: string
  marginConfig?: {
    top?: number
    right?: number
    bottom?: number
    left?: number
  }
}

export interface ImportedTable {
  schema: string
  name: string
  kind: 'table' | 'view'
  columns: Column[]
  /** The database’s own; null where it has none. */
  rowEstimate: number | null
  rowCount: number
}

export interface Invitation {
  id: string
  email: string
  role: Role
  invitedBy: {
    id: string
    name: string
  }
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  expiresAt: string
}

/** How one key was used. */
export interface KeyUse {
  id: string
  name: string
  /** Null when the key was deleted with its member. */
  prefix: string | null
  isRevoked: boolean
  user: Person
  requestCount: number
  refusedCount: number
  failedCount: number
  /** ISO 8601, UTC */
  lastAt: string
  lastAddress: string | null
  /** `YYYY-MM-DD`, UTC; days without a request are left out. */
  days: {
    day: string
    requestCount: number
    refusedCount: number
    failedCount: number
  }[]
  routes: {
    route: string
    requestCount: number
    refusedCount: number
    failedCount: number
    /** ISO 8601, UTC */
    firstAt: string
    /** ISO 8601, UTC */
    lastAt: string
    lastStatus: number
    lastAddress: string | null
  }[]
}

export interface KeyUsePage {
  items: KeyUse[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
  /** ISO 8601, UTC */
  from: string
  days: number
}

export type LastTest = {
  ok: true
  durationMs: number
  version: string
  /** ISO 8601, UTC */
  testedAt: string
} | {
  ok: false
  message: string
  /** The setting at fault, such as `/settings/port`, where that can be told. */
  path?: string
  /** ISO 8601, UTC */
  testedAt: string
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

export interface LatestRunOfReference {
  id: string
  status: RunStatus
  /** When the run was asked for. */
  runAt: string
  /** When it completed or failed; null until then. */
  completedAt: string | null
  /** Whether a person stopped it. Its status is then `failed`. */
  isStopped: boolean
}

/** With the member it acts as. */
export interface ListedApiKey {
  id: string
  name: string
  /** Its first characters, to recognize it by. */
  prefix: string
  /** ISO 8601, UTC */
  createdAt: string
  /** To the minute; null when it was never used. */
  lastUsedAt: string | null
  user: Person
}

/** One run of an automation, as lists show it. */
export interface ListedAutomationRun {
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
}

export interface ListedChat {
  shortId: string
  title: string
  url: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  automation: {
    id: string
    name: string
  } | null
  /** Grows with every change. */
  revision: number
  run: AgentRun | null
}

export interface ListedEndpoint {
  id: string
  url: string
  description: string | null
  eventTypes: EventType[]
  state: EndpointState
  /** Events in a row that used up all their attempts. */
  consecutiveFailures: number
  disabledAt: string | null
  disabledReason: string | null
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  health: EndpointHealth
  /** Counted up to 1,000. */
  heldCount: number
  series: EndpointSeries
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

export interface LoggedAttempt {
  number: number
  /** ISO 8601, UTC */
  at: string
  durationMs: number
  phases: {
    dnsMs: number | null
    connectMs: number | null
    tlsMs: number | null
    responseMs: number | null
    bodyMs: number | null
  }
  /** The address that was dialled; null when none was. */
  address: string | null
  status: number | null
  failure: {
    kind: string
    message: string
  } | null
}

export interface LoggedDelivery {
  id: string
  eventId: string
  eventType: EventType
  endpointId: string
  state: DeliveryState
  isTest: boolean
  requestedBy: string | null
  requestedByName: string | null
  /** ISO 8601, UTC */
  createdAt: string
  nextAttemptAt: string | null
  endedAt: string | null
  heldAt: string | null
  attemptCount: number
  /** A worker is making an attempt right now. */
  isBeingSent: boolean
  attempts: LoggedAttempt[]
}

export interface MarkdownMessage {
  number: number
  /** ISO 8601, UTC */
  createdAt: string
  /** Of the chat, when this message changed last. */
  revision: number
  /** Null for what a person wrote. */
  agentRunId: string | null
  user: {
    id: string
    name: string
  } | null
  kind: 'text' | 'summary' | 'answer'
  text: string
}

export interface Member {
  id: string
  email: string
  name: string
  role: Role
  /** ISO 8601, UTC */
  joinedAt: string
}

export type Message =
  | PlainMessage
  | MarkdownMessage
  | QueryRunStep
  | ToolCallStep
  | ChartStep
  | ReferenceStep
  | FailureMessage

export type ModelProvider = 'openai_compatible' | 'anthropic'

/** The model that the organization’s agents ask. Its key is in no answer. */
export interface ModelSettings {
  provider: ModelProvider
  baseUrl: string
  model: string
  hasApiKey: boolean
  /** ISO 8601, UTC */
  updatedAt: string
}

export type ModelTest = {
  ok: true
  durationMs: number
  reply: string
} | {
  ok: false
  message: string
}

/** What the model was asked for. Null for a digest. */
export interface ModelUsage {
  inputTokens: number
  outputTokens: number
  /** How often the model was asked. */
  steps: number
}

export interface NewAutomation {
  name: string
  instructions: string
  references: string[]
  schedule?: Schedule | null
  condition?: GivenCondition | null
  agent?: AgentKind
  enabled?: boolean
}

/** The only answer that shows the link. */
export interface NewInvitation {
  id: string
  email: string
  role: Role
  invitedBy: {
    id: string
    name: string
  }
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  expiresAt: string
  url: string
  isMailed: boolean
  /** What the mail server said when it did not take the e-mail. */
  mailFault: string | null
}

export interface NewReference {
  queryId?: string
  title?: string
  description?: string | null
  visualization?: GivenVisualization | null
  parameters?: GivenParameter[]
}

/** Something that the signed-in person should know. */
export interface Notification {
  id: string
  kind: NotificationKind
  message: string
  /** The page it is about, as a path. */
  link: string
  /** ISO 8601, UTC */
  createdAt: string
  readAt: string | null
}

export type NotificationKind = 'endpoint_failing' | 'endpoint_disabled' | 'run_failed' | 'sign_ins_failing'

export interface NotificationPage {
  items: Notification[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
  unreadCount: number
}

export interface NotificationSettings {
  emailEnabled: boolean
  /** Whether the operator has set up a mail server. */
  canSendMail: boolean
  email: string
}

/** An invitation as its link shows it. */
export interface OpenedInvitation {
  organizationName: string
  email: string
  role: Role
  invitedByName: string
  /** ISO 8601, UTC */
  expiresAt: string
  /** True when the address has an account: its owner signs in instead of choosing a password. */
  hasAccount: boolean
}

export interface Organization {
  id: string
  name: string
  /** While it is off, no event is published, and endpoints can be neither seen nor changed. */
  webhooksEnabled: boolean
}

/** A run that the caller started, with the saved query it belongs to. */
export interface OwnRun {
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
  startedAt: string | null
  completedAt: string | null
  durationMs: number | null
  failureReason: string | null
  /** Whether a person stopped it. Its status is then `failed`. */
  isStopped: boolean
  errorPosition: ErrorPosition | null
  rowCount: number | null
  /** Rows written so far; null unless it is running. */
  rowCountSoFar: number | null
  /** How much of the work before the first row is done, 0 to 100; null unless it is running. */
  progress: number | null
  rowsRead: number | null
  rowsWritten: number | null
  bytesRead: number | null
  resultSizeBytes: number | null
  reference: ReferenceLink | null
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

/** Whose password the link changes. */
export interface PasswordReset {
  email: string
}

export interface Person {
  id: string
  email: string
  name: string
}

export interface PlainMessage {
  number: number
  /** ISO 8601, UTC */
  createdAt: string
  /** Of the chat, when this message changed last. */
  revision: number
  /** Null for what a person wrote. */
  agentRunId: string | null
  user: {
    id: string
    name: string
  } | null
  kind: 'instruction' | 'question' | 'note'
  text: string
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

/** A query with the references that point to it. */
export interface QueryInFull {
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
  /** Those that point to it. */
  references: ReferenceLink[]
}

/** One page of a list, which shows all of it as it was when the first page was asked for. */
export interface QueryPage {
  items: ListedQuery[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
}

/** A run, as the pages show it. */
export interface QueryRun {
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
  startedAt: string | null
  completedAt: string | null
  durationMs: number | null
  failureReason: string | null
  /** Whether a person stopped it. Its status is then `failed`. */
  isStopped: boolean
  errorPosition: ErrorPosition | null
  rowCount: number | null
  /** Rows written so far; null unless it is running. */
  rowCountSoFar: number | null
  /** How much of the work before the first row is done, 0 to 100; null unless it is running. */
  progress: number | null
  rowsRead: number | null
  rowsWritten: number | null
  bytesRead: number | null
  resultSizeBytes: number | null
  triggeredBy: RunTrigger
}

/** The agent ran a query. */
export interface QueryRunStep {
  number: number
  /** ISO 8601, UTC */
  createdAt: string
  /** Of the chat, when this message changed last. */
  revision: number
  /** Null for what a person wrote. */
  agentRunId: string | null
  user: {
    id: string
    name: string
  } | null
  kind: 'query_run'
  /** Null until it has been started, and when it could not be. */
  runId: string | null
  reference: ReferenceLink | null
  sql: string | null
  parameterValues: Record<string, string | number | boolean>
  status: RunStatus
  rowCount: number | null
  preview: FirstRows | null
  failureReason: string | null
}

export interface ReferenceChange {
  title?: string
  description?: string | null
  visualization?: GivenVisualization | null
  parameters?: GivenParameter[]
  sql?: string
  analyticalDatabaseConfigId?: string
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

export interface ReferenceLink {
  shortId: string
  title: string
}

/** The agent saved a query under a permalink. */
export interface ReferenceStep {
  number: number
  /** ISO 8601, UTC */
  createdAt: string
  /** Of the chat, when this message changed last. */
  revision: number
  /** Null for what a person wrote. */
  agentRunId: string | null
  user: {
    id: string
    name: string
  } | null
  kind: 'reference'
  shortId: string
  title: string
}

export interface ReplayChoice {
  states?: ReplayState[]
  eventTypes?: EventType[]
  /** ISO 8601, UTC */
  from?: string
  /** ISO 8601, UTC */
  to?: string
}

export type ReplayState = 'exhausted' | 'delivered'

export type Role = 'admin' | 'member'

/** A run with what its page leads on to. */
export interface RunInFull {
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
  startedAt: string | null
  completedAt: string | null
  durationMs: number | null
  failureReason: string | null
  /** Whether a person stopped it. Its status is then `failed`. */
  isStopped: boolean
  errorPosition: ErrorPosition | null
  rowCount: number | null
  /** Rows written so far; null unless it is running. */
  rowCountSoFar: number | null
  /** How much of the work before the first row is done, 0 to 100; null unless it is running. */
  progress: number | null
  rowsRead: number | null
  rowsWritten: number | null
  bytesRead: number | null
  resultSizeBytes: number | null
  triggeredBy: RunTrigger
  /** Those that point to its query. */
  references: ReferenceLink[]
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

/** What caused the run. */
export interface RunTrigger {
  kind: 'user' | 'key' | 'automation' | 'chat'
  /** Null where what caused it is no longer known. */
  name: string | null
  automationId: string | null
  chatShortId: string | null
}

/** Null where no model is set up. */
export interface SavedModelSettings {
  settings: ModelSettings | null
}

export interface Schedule {
  /** Five fields: minute, hour, day of month, month, day of week. */
  cron: string
  /** An IANA name, as Europe/Berlin. */
  timeZone: string
}

/** The next times of a schedule. */
export interface SchedulePreview {
  times: string[]
}

export interface SeriesPart {
  /** ISO 8601, UTC */
  at: string
  delivered: number
  retrying: number
  exhausted: number
  held: number
}

export type SeriesPeriod = 'day' | 'week'

export interface ServerDatabase {
  id: string
  name: string
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** Tables and views when it was last described; null until then. */
  tableCount: number | null
  lastTest: LastTest | null
  engine: ServerEngine
  settings: ServerSettings
  /** The password itself is in no answer. */
  hasPassword: boolean
}

export type ServerEngine = 'postgres' | 'mysql' | 'clickhouse'

export interface ServerPlace {
  host: string
  port: number
}

/** How a database server is reached. */
export interface ServerSettings {
  host: string
  port: number
  otherHosts: ServerPlace[]
  database: string
  user: string
  tls: TlsMode
  /** PEM; null: those that the service trusts anyway. */
  certificateAuthority: string | null
}

/** Who is signed in, and whose pages are shown. */
export interface Session {
  user: Person
  organization: {
    id: string
    name: string
  }
  role: Role
  /** All organizations that the person belongs to. */
  organizations: {
    id: string
    name: string
    role: Role
  }[]
}

/** What the sign-in page may offer besides the password. */
export interface SignInOptions {
  oidc: {
    name: string
  } | null
  canResetPassword: boolean
}

export type SubjectType =
  | 'user'
  | 'session'
  | 'invitation'
  | 'api_key'
  | 'organization'
  | 'database'
  | 'query'
  | 'reference'
  | 'webhook_endpoint'
  | 'delivery'
  | 'automation'
  | 'model_settings'
  | 'data_connector'
  | 'audit_log'

export interface Table {
  schema: string
  name: string
  kind: 'table' | 'view'
  columns: Column[]
  /** The database’s own; null where it has none. */
  rowEstimate: number | null
}

export interface TablePreview {
  fields: Field[]
  rows: unknown[][]
  /** The table has more rows than are shown. */
  hasMore: boolean
}

export type TestOutcome = {
  ok: true
  durationMs: number
  version: string
} | {
  ok: false
  message: string
  /** The setting at fault, such as `/settings/port`, where that can be told. */
  path?: string
}

export type TlsMode = 'off' | 'encrypted' | 'verified'

/** The model called a tool. */
export interface ToolCallStep {
  number: number
  /** ISO 8601, UTC */
  createdAt: string
  /** Of the chat, when this message changed last. */
  revision: number
  /** Null for what a person wrote. */
  agentRunId: string | null
  user: {
    id: string
    name: string
  } | null
  kind: 'tool_call'
  tool: string
  /** The data connector whose tool it is; null for the service’s own. */
  connector: string | null
  input: string
  status: 'running' | 'completed' | 'failed'
  output: string | null
}

/** How settings that are not stored did. */
export type TriedConnection = {
  ok: true
  durationMs: number
  version: string
  tableCount: number | null
} | {
  ok: false
  message: string
  /** The setting at fault, such as `/settings/port`, where that can be told. */
  path?: string
  tableCount: number | null
}

export interface UnreadCount {
  unreadCount: number
}

export type UrlCheck = {
  isAllowed: true
  url: string
  addresses: string[]
} | {
  isAllowed: false
  reason: string
  mayChange: boolean
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

export type VisualizationType = 'table' | 'number' | 'line' | 'bar' | 'area' | 'scatter' | 'pie'

/** The initial content of the form behind the link of the first start. */
export interface Welcome {
  email: string
  organizationName: string
}
