// Made from the schemas of the pages’ routes by `npm run types`; a test keeps it so. Not for editing.

/** The answer that a suggestion is about. */
export interface AboutAnswer {
  shortId: string
  messageNumber: number
}

export interface AcceptedOffer {
  offer: string
  code: string
}

export interface AcceptedSuggestion {
  /** At most 1000 characters. */
  text: string
  target: SuggestionTarget
}

/** What groups may see and do. Levels that are not listed are the default or inherited. */
export interface AccessMatrix {
  databases: {
    id: string
    name: string
    levels: GroupDatabaseLevel[]
    rowRules: RowRule[]
    /** The kinds of rules that the database can have. */
    rowRuleKinds: RowRuleKind[]
  }[]
  folders: {
    id: string
    name: string
    parentId: string | null
    levels: GroupFolderLevel[]
  }[]
}

/** The account of the signed-in user. */
export interface Account {
  id: string
  email: string
  name: string
  /** False for a user who has only signed in through the OIDC provider. */
  hasPassword: boolean
}

/** A device or browser in which the user is signed in. */
export interface AccountSession {
  id: string
  /** ISO 8601, UTC */
  createdAt: string
  /** Accurate to the minute. */
  lastSeenAt: string
  /** The User-Agent header at sign-in. */
  userAgent: string | null
  organizationName: string
  /** True for the session of this request. */
  isCurrent: boolean
}

export type ActorKind = 'user' | 'key' | 'agent' | 'service' | 'operator' | 'anonymous'

export interface AddedOrganization {
  id: string
  name: string
  role: Role
}

export type AddressState = 'unconfirmed' | 'confirmed' | 'bounced'

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
  /** Why it failed. Null unless it failed. */
  reason: string | null
  /** True if a person stopped it. Its status is then `failed`. */
  isStopped: boolean
}

export type AgentKind = 'digest' | 'model'

export type AgentRun = ListedAutomationRun | AgentAnswer

export type AgentRunTrigger = 'schedule' | 'condition' | 'person' | 'api' | 'question' | 'evaluation'

export type Aggregate = 'first' | 'last' | 'min' | 'max' | 'sum'

/** A change of an alert’s state. */
export interface AlertChange {
  number: number
  /** ISO 8601, UTC */
  at: string
  status: AlertStatus
  severity: Severity | null
  finding: string
  /** The query run that was evaluated. */
  runId: string | null
  newRowCount: number | null
  /** When people were notified. Null if they were not. */
  announcedAt: string | null
  quietBecause: QuietReason | null
}

export interface AlertChanges {
  items: AlertChange[]
  /** For `before`, to get the next page. Null on the last page. */
  nextBefore: number | null
}

export type AlertComparison = '>' | '>=' | '<' | '<='

/** The state of an alert. Null before its first result, and for other conditions. */
export interface AlertState {
  status: AlertStatus
  severity: Severity | null
  /** When the alert got this status. */
  since: string
  finding: string
}

export type AlertStatus = 'ok' | 'firing' | 'resolved' | 'no_data' | 'failing'

/** One question about a result. An alert fires if any of its tests does. */
export interface AlertTest {
  kind: AlertTestKind
  severity?: Severity
  /** Fires after so many results in a row. */
  forRuns?: number
  /** Left out: the number of rows. */
  column?: string
  aggregate?: Aggregate
  comparison?: AlertComparison
  number?: number
  /** Once it fires, it goes on until the value has passed this number too. */
  resolveAt?: number
  against?: ComparedPeriod
  direction?: ChangeDirection
  by?: number
  unit?: ChangeUnit
  keyColumns?: string[]
  hours?: number
  deviations?: number
  results?: number
}

export type AlertTestKind = 'threshold' | 'change' | 'new_rows' | 'no_rows' | 'stale' | 'unusual'

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

export interface ApiKeyEdit {
  name?: string
  groupIds?: string[] | null
}

/** An action on everything, or on one kind of resource. */
export type ApiKeyScope =
  | 'read'
  | 'read:queries'
  | 'read:boards'
  | 'read:folders'
  | 'read:databases'
  | 'read:automations'
  | 'read:chats'
  | 'read:knowledge'
  | 'read:question-sets'
  | 'read:webhooks'
  | 'read:project'
  | 'run'
  | 'run:queries'
  | 'run:boards'
  | 'run:automations'
  | 'run:chats'
  | 'run:question-sets'
  | 'run:webhooks'
  | 'write'
  | 'write:queries'
  | 'write:boards'
  | 'write:folders'
  | 'write:automations'
  | 'write:project'
  | 'admin'
  | 'admin:webhooks'
  | 'admin:knowledge'
  | 'admin:question-sets'

export type AttachmentKind = 'csv' | 'xlsx' | 'png' | 'pdf'

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
  /** The IP address that was contacted; null if none was. */
  address: string | null
  status: number | null
  failure: {
    kind: string
    message: string
  } | null
  /** The first part of the response body. */
  response: string
  /** The headers as sent; null if nothing was sent. */
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
  | 'second_factor.turned_on'
  | 'second_factor.turned_off'
  | 'second_factor.recovery_codes_replaced'
  | 'second_factor.recovery_code_used'
  | 'second_factor.reset'
  | 'account.changed'
  | 'member.joined'
  | 'member.role_changed'
  | 'member.groups_changed'
  | 'member.attributes_changed'
  | 'member.view_started'
  | 'member.view_ended'
  | 'member.removed'
  | 'member.left'
  | 'invitation.created'
  | 'invitation.withdrawn'
  | 'api_key.created'
  | 'api_key.changed'
  | 'api_key.revoked'
  | 'organization.created'
  | 'organization.changed'
  | 'organization.managed_items_changed'
  | 'database.created'
  | 'database.changed'
  | 'database.tested'
  | 'database.table_imported'
  | 'database.table_renamed'
  | 'database.table_deleted'
  | 'database.deleted'
  | 'database.access_changed'
  | 'database.row_rules_changed'
  | 'query.created'
  | 'reference.created'
  | 'reference.changed'
  | 'reference.deleted'
  | 'reference.restored'
  | 'reference.removed'
  | 'reference.verified'
  | 'reference.unverified'
  | 'result.pinned'
  | 'result.unpinned'
  | 'result_history.changed'
  | 'change_feed.changed'
  | 'board.created'
  | 'board.changed'
  | 'board.restored'
  | 'board.deleted'
  | 'board.removed'
  | 'board_image.created'
  | 'folder.created'
  | 'folder.changed'
  | 'folder.deleted'
  | 'folder.access_changed'
  | 'group.created'
  | 'group.changed'
  | 'group.deleted'
  | 'comment.deleted'
  | 'public_link.created'
  | 'public_link.changed'
  | 'public_link.revoked'
  | 'embedding.origins_changed'
  | 'embed_secret.created'
  | 'embed_secret.rotated'
  | 'embed_secret.revoked'
  | 'git_repository.added'
  | 'git_repository.secret_rotated'
  | 'git_repository.removed'
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
  | 'automation.snoozed'
  | 'automation.deleted'
  | 'channel.created'
  | 'channel.changed'
  | 'channel.enabled'
  | 'channel.disabled'
  | 'channel.deleted'
  | 'channel.test_sent'
  | 'report.created'
  | 'report.changed'
  | 'report.deleted'
  | 'report.test_sent'
  | 'report.confirmation_sent'
  | 'report.address_confirmed'
  | 'report.unsubscribed'
  | 'report.resubscribed'
  | 'report.resent'
  | 'chat.renamed'
  | 'chat.deleted'
  | 'model_settings.changed'
  | 'model_settings.deleted'
  | 'model_budget.changed'
  | 'question_set.created'
  | 'question_set.changed'
  | 'question_set.deleted'
  | 'data_connector.created'
  | 'data_connector.changed'
  | 'data_connector.deleted'
  | 'knowledge.tried'
  | 'knowledge.changed'
  | 'knowledge.deleted'
  | 'knowledge.restored'
  | 'knowledge.dbt_imported'
  | 'knowledge.dbt_deleted'
  | 'knowledge.suggested'
  | 'knowledge.suggestion_accepted'
  | 'knowledge.suggestion_declined'
  | 'audit_log.exported'

export type AuditExportFormat = 'csv' | 'jsonl'

/** Who did what, when and from where. Names are as of that time. */
export interface AuditRecord {
  id: string
  /** ISO 8601, UTC */
  occurredAt: string
  action: AuditActionName
  actor: {
    kind: ActorKind
    id: string | null
    /** Name of the API key or automation. */
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

/** Has an agent report on query references, on a schedule or on a condition. */
export interface Automation {
  id: string
  name: string
  instructions: string
  agent: AgentKind
  /** The shortIds of query references. */
  references: string[]
  schedule: Schedule | null
  condition: Condition | null
  conditionState: ConditionState | null
  alertState: AlertState | null
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
    status: RunStatus
    /** True if a person stopped it. Its status is then `failed`. */
    isStopped: boolean
    /** ISO 8601, UTC */
    requestedAt: string
    endedAt: string | null
    chatUrl: string
  } | null
}

export interface AutomationChange {
  name?: string
  instructions?: string
  /** The shortIds of query references. */
  references?: string[]
  schedule?: Schedule | null
  condition?: GivenCondition | null
  agent?: AgentKind
  enabled?: boolean
  strict?: boolean
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

/** What a condition would have done over the kept results. */
export interface Backtest {
  resultCount: number
  /** Results that are not read yet. Ask again until there are none. */
  remaining: number
  /** Parameters whose past values the history can be filled with. */
  dateParameters: string[]
  fill: HistoryFill | null
  /** Results of filled days that are still being stored. Ask again until there are none. */
  storingCount: number
  from: string | null
  to: string | null
  messageCount: number
  /** Days in UTC on which it did not fire. */
  silentDays: number
  firings: BacktestFiring[]
  points: BacktestPoint[]
}

export interface BacktestFiring {
  /** ISO 8601, UTC */
  from: string
  /** Null if it still fires. */
  to: string | null
  severity: Severity
  finding: string
}

export interface BacktestPoint {
  /** ISO 8601, UTC */
  at: string
  runId: string
  value: string | null
  status: AlertStatus
}

export interface BacktestRequest {
  condition: GivenCondition
}

/** The evaluation of the model and the knowledge as they are now; null if there is none. */
export interface Baseline {
  evaluation: Evaluation | null
}

/** The references that match a search best, best first. */
export interface BestReferences {
  items: FoundReference[]
  /** Whether these are all that match. If not, the list has more. */
  isComplete: boolean
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
  createdBy: {
    id: string
    name: string
  } | null
  /** The queries of its tiles. A query that was deleted is missing here; its tiles are still listed. */
  references: ReferenceSummary[]
}

/** The fields of a board to change. */
export interface BoardChange {
  title?: string
  description?: string | null
  /** Null for the top. */
  folderId?: string | null
  parameters?: GivenParameter[]
  tabs?: BoardTab[]
  tiles?: GivenTile[]
}

/** A board that is not saved yet. */
export interface BoardDraft {
  title: string
  description: string | null
  /** Values that a reader can choose. */
  parameters: ParameterDefinition[]
  /** Empty unless the board is divided into tabs. */
  tabs: BoardTab[]
  tiles: Tile[]
  /** The queries of its tiles. */
  references: ReferenceSummary[]
  /** What could not be found or done. */
  notes: string[]
}

/** An uploaded image for tiles. */
export interface BoardImage {
  id: string
  contentType: string
  sizeBytes: number
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

/** A saved state of a board. */
export interface BoardVersion {
  number: number
  title: string
  tileCount: number
  /** The version that was restored with this one. */
  restoredNumber: number | null
  /** Whether the board was deleted with this version. */
  isDeletion: boolean
  /** ISO 8601, UTC */
  changedAt: string
  changedBy: {
    id: string
    name: string
  }
  isCurrent: boolean
}

/** A saved state of a board, with its content. */
export interface BoardVersionInFull {
  number: number
  title: string
  tileCount: number
  /** The version that was restored with this one. */
  restoredNumber: number | null
  /** Whether the board was deleted with this version. */
  isDeletion: boolean
  /** ISO 8601, UTC */
  changedAt: string
  changedBy: {
    id: string
    name: string
  }
  isCurrent: boolean
  description: string | null
  /** Values that a reader can choose. */
  parameters: ParameterDefinition[]
  /** Empty unless the board is divided into tabs. */
  tabs: BoardTab[]
  tiles: Tile[]
}

/** A place where the chat continues with one of several questions. */
export interface Branch {
  /** The question or instruction that these questions continue from; null if they start the chat. */
  follows: number | null
  /** The numbers of the questions, oldest first. */
  questions: number[]
}

export type CardElement = CardText | {
  type: 'Image'
  url: string
  altText: string
  selectAction: CardLink
} | {
  type: 'Table'
  columns: {
    width: number
  }[]
  rows: {
    type: 'TableRow'
    cells: {
      type: 'TableCell'
      items: CardText[]
    }[]
  }[]
  firstRowAsHeader: boolean
}

export interface CardLink {
  type: 'Action.OpenUrl'
  title: string
  url: string
}

export interface CardText {
  type: 'TextBlock'
  /** Markdown: bold, italic, struck and links. */
  text: string
  wrap: true
  size?: 'Small' | 'Medium' | 'Large' | 'ExtraLarge'
  weight?: 'Bolder'
  isSubtle?: true
  color?: 'Attention'
  fontType?: 'Monospace'
  spacing?: 'None' | 'Small'
  separator?: true
  horizontalAlignment?: 'Right'
}

export interface CatalogColumn {
  name: string
  type: string
  comment: string | null
  description: string | null
  /** Used where there is no other description than the comment. */
  dbtDescription: string | null
}

/** A table with what is known about it. */
export interface CatalogTable {
  databaseId: string
  databaseName: string
  schema: string
  name: string
  kind: 'table' | 'view'
  rowEstimate: number | null
  /** The database’s own comment. */
  comment: string | null
  /** The organization’s own description, which takes precedence. */
  description: string | null
  dbt: DbtTable | null
  columns: CatalogColumn[]
  /** Of very wide tables, only the first columns are listed. */
  columnCount: number
  /** Of the organization’s own descriptions; 0 if there have never been any. */
  version: number
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

export type ChangeDirection = 'either' | 'up' | 'down'

export interface ChangeFeed {
  publishesChanges: boolean
  /** The columns that identify a row. Null until there is a result to infer them from. */
  keyColumns: string[] | null
  /** Whether you chose the key columns. */
  keyChoice: 'chosen' | 'inferred'
  latestNumber: number
  problem: FeedProblem | null
  latestChanges: ResultChange[]
}

export type ChangeUnit = 'percent' | 'absolute'

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

/** A place outside Querypost where reports go. */
export interface Channel {
  id: string
  kind: ChannelKind
  name: string
  /** What the kind of channel needs to know, without its secret. */
  settings: Record<string, string>
  state: ChannelState
  /** Null while it is enabled. */
  disabledReason: string | null
  /** Deliveries in a row that failed permanently. */
  failureCount: number
  lastUsedAt: string | null
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
}

export interface ChannelChange {
  name?: string
  state?: ChannelState
  /** What the kind of channel needs to know, without its secret. */
  settings?: Record<string, string>
  /** The URL or the token that gives access. Never returned. */
  secret?: string
}

export type ChannelKind = 'slack_webhook' | 'slack_bot' | 'teams' | 'webhook'

export interface ChannelList {
  items: Channel[]
  /** The kinds of channels that can be added. */
  kinds: ChannelKind[]
  /** Whether the operator has set up a mail server. */
  isEmailEnabled: boolean
}

export type ChannelState = 'enabled' | 'disabled'

export interface ChannelTest {
  /** The id of a conversation, for channels that have several. */
  conversation?: string
}

/** The agent drew a chart. */
export interface ChartStep {
  number: number
  /** ISO 8601, UTC */
  createdAt: string
  /** The revision of the chat when this message last changed. */
  revision: number
  /** Null for messages by people and by the service itself. */
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

/** The newest exchanges on one path through a chat: each question with the steps and the answer of the agent. */
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
  /** The person who started the chat with a question; null for a chat of an automation. */
  startedBy: {
    id: string
    name: string
  } | null
  /** Increases with every change. */
  revision: number
  run: AgentRun | null
  /** Whether a question can be asked now: a model is set up and no agent is running. */
  canAsk: boolean
  messages: Message[]
  /** Whether you may rename and delete the chat: you started it, or you are an admin. */
  canEdit: boolean
  /** The question or instruction of the last exchange shown; null in an empty chat. */
  leaf: number | null
  /** The places among these exchanges with more than one question. */
  branches: Branch[]
  /** Whether the path has exchanges before these messages. */
  hasEarlier: boolean
}

/** Changes in a chat since a revision. */
export interface ChatNews {
  /** Increases with every change. */
  revision: number
  run: AgentRun | null
  /** Whether a question can be asked now: a model is set up and no agent is running. */
  canAsk: boolean
  messages: Message[]
}

export interface Column {
  name: string
  /** The type name of the database itself. */
  type: string
  nullable: boolean
  /** The description of the organization or, without one, the database’s own comment. */
  comment: string | null
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

export type ColumnType = 'text' | 'integer' | 'number' | 'boolean' | 'date' | 'timestamp'

export interface Comment {
  id: string
  /** Markdown. Mentions are written as `@[user id]`. */
  text: string
  author: Commenter
  /** ISO 8601, UTC */
  createdAt: string
  editedAt: string | null
  mentions: {
    id: string
    name: string
    /** False for people who have left the organization. */
    isMember: boolean
  }[]
}

export interface CommentCounts {
  /** The number of open threads. */
  openCount: number
  resolvedCount: number
  /** Tiles with open threads. */
  tiles: {
    tileId: string
    openCount: number
  }[]
}

export interface CommentText {
  text: string
}

/** A conversation about a query, a board, a tile or a data point. */
export interface CommentThread {
  id: string
  /** The tile of a board. It may have been removed since. */
  tileId: string | null
  point: DataPoint | null
  /** ISO 8601, UTC */
  createdAt: string
  resolvedAt: string | null
  resolvedBy: Commenter | null
  commentCount: number
  /** In the order in which they were written. Lists have only the first comment and the newest ones. */
  comments: Comment[]
}

export interface Commenter {
  id: string
  name: string
}

/** One question in both evaluations. Null where it was not asked. */
export interface ComparedAnswer {
  question: string
  before: ComparedSide | null
  after: ComparedSide | null
  change: AnswerChange
}

export type ComparedPeriod = 'previous' | 'day' | 'week' | 'month'

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

export type Comparison = '>' | '>=' | '<' | '<=' | '=' | '!='

/** The condition that a result must meet to start a run. */
export type Condition = {
  /** The shortId of a query reference. */
  reference: string
  /** Run for every result that meets the condition, not only for the first. */
  everyTime?: boolean
  kind: 'row_count'
  comparison: Comparison
  number: number
} | {
  /** The shortId of a query reference. */
  reference: string
  /** Run for every result that meets the condition, not only for the first. */
  everyTime?: boolean
  kind: 'value'
  column: string
  comparison: Comparison
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
  tests: AlertTest[]
  muteWindows: MuteWindow[]
}

/** The outcome of the last check. */
export interface ConditionState {
  /** The query run whose result was checked; null before the first check of a result. */
  runId: string | null
  /** Hash of that result. */
  resultHash: string | null
  isMet: boolean
  /** ISO 8601, UTC */
  judgedAt: string
  /** The outcome as text, or why the condition could not be checked. */
  finding: string
}

export interface ConfirmationRequest {
  email: string
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
  /** Problems that an agent sees, in addition to its tools. */
  problems: string[]
} | {
  ok: false
  message: string
}

/** A place within a channel, such as a Slack channel. */
export interface Conversation {
  id: string
  name: string
}

/** How many bytes queries may read, by the estimates of engines that have any. */
export interface CostLimits {
  /** For each query; null without a limit. */
  perQueryBytes: number | null
  /** For all queries that a person starts on a day (UTC); null without a limit. */
  perPersonDailyBytes: number | null
  /** For all queries of the organization on a day (UTC); null without a limit. */
  perOrganizationDailyBytes: number | null
}

/** The only response that contains the key itself. */
export interface CreatedApiKey {
  id: string
  name: string
  /** The first characters of the key, to recognize it. */
  prefix: string
  /** ISO 8601, UTC */
  createdAt: string
  /** Accurate to the minute; null if never used. */
  lastUsedAt: string | null
  /** What the key may do, at most what its member may do. */
  scopes: ApiKeyScope[]
  /** Null: never. */
  expiresAt: string | null
  /** The CIDR blocks from which the key is accepted. Null: from any address. */
  allowedNetworks: string[] | null
  /** The groups that the key belongs to. It sees what they may see. Null: what its member may see. */
  groupIds: string[] | null
  key: string
}

export interface CreatedEndpoint {
  id: string
  url: string
  description: string | null
  eventTypes: EventType[]
  /** Events of the same automation or query are sent one after the other. */
  isOrdered: boolean
  state: EndpointState
  /** Consecutive events that exhausted all attempts. */
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

export interface CsvReading {
  encoding: Encoding
  delimiter: ',' | ';' | '	' | '|'
  hasHeader: boolean
  decimalSign: '.' | ','
  thousandsSeparator: '' | '.' | ',' | ' ' | '\''
  dateOrder: DateOrder
  types: ColumnType[]
}

export interface DailyModelUse {
  /** YYYY-MM-DD, UTC */
  day: string
  inputTokens: number
  outputTokens: number
  /** How many requests were sent to the model. */
  requestCount: number
  /** Null if the models have no price. */
  cost: number | null
}

/**
 * A Model Context Protocol server whose tools the model agent may use. The values of its headers are never
 * returned.
 */
export interface DataConnector {
  id: string
  name: string
  /** Null for members, because a URL may hold a token. */
  url: string | null
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

/** A value of a result, as it was shown when the thread began. */
export interface DataPoint {
  runId: string
  /** What identifies the row or the mark of a chart, such as its category and series. */
  keys: {
    column: string
    value: string
  }[]
  column: string
  value: string
  /** When the run completed. */
  completedAt: string
}

/** An analytical database that queries run against. */
export type Database = FileDatabase | ServerDatabase

export type DatabaseInFull = {
  id: string
  name: string
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** Number of tables and views when the schema was last read; null until then. */
  tableCount: number | null
  lastTest: LastTest | null
  engine: FileEngine
  settings: {
    file: string
    /** It is the database in which queries read other saved queries with `ref(…)`. */
    readsSavedQueries?: true
    /** The member whose uploads it holds. */
    ownerId?: string
  }
  /** Number of saved queries that use it, counted up to 1,000. It cannot be deleted while there are any. */
  savedQueryCount: number
} | {
  id: string
  name: string
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** Number of tables and views when the schema was last read; null until then. */
  tableCount: number | null
  lastTest: LastTest | null
  engine: ServerEngine
  settings: ServerSettings
  /** The password itself is never returned. */
  hasPassword: boolean
  /** Number of saved queries that use it, counted up to 1,000. It cannot be deleted while there are any. */
  savedQueryCount: number
}

/** `none`: the database and everything that reads it is hidden. `manage`: also change its connection. */
export type DatabaseLevel = 'none' | 'query' | 'manage'

export interface DatabaseLevels {
  levels: GroupDatabaseLevel[]
}

export type DateOrder = 'ymd' | 'dmy' | 'mdy'

export interface DbtFreshness {
  status: string
  maxLoadedAt: string | null
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

/** A metric of the dbt project. */
export interface DbtMetric {
  name: string
  label: string
  description: string
  /** How it is computed, as text. Null if the manifest does not say it. */
  definition?: string | null
}

/** What a dbt project says about a table. */
export interface DbtTable {
  kind: 'model' | 'source' | 'seed' | 'snapshot'
  description: string | null
  /** The tables that it is built from. */
  builtFrom: string[]
  file: string | null
  docsUrl: string | null
  sourceUrl: string | null
  freshness: DbtFreshness | null
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
  /** True while it waits for an earlier event of its key, at an endpoint that receives events in order. */
  isWaiting: boolean
  endedAt: string | null
  heldAt: string | null
  attemptCount: number
  /** Whether a worker is making an attempt right now. */
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

/** The summaries that the digest would have written over the kept results. */
export interface DigestBacktest {
  /** Newest first. */
  summaries: PastSummary[]
  /** How many it would have written in all. */
  count: number
  /** For `before`, to get the next page. Null on the last page. */
  nextBefore: string | null
}

export interface DigestBacktestRequest {
  /** The shortIds of the queries. */
  references: string[]
  schedule?: Schedule | null
  /** ISO 8601, UTC */
  before?: string
}

export type DownloadFormat = 'json' | 'jsonl' | 'csv' | 'xlsx' | 'parquet' | 'arrow'

/** The exchanges before a question, on one path through a chat. */
export interface EarlierMessages {
  messages: Message[]
  /** The places among these exchanges with more than one question. */
  branches: Branch[]
  /** Whether the path has exchanges before these messages. */
  hasEarlier: boolean
}

export type EmailTest = {
  ok: true
} | {
  ok: false
  message: string
}

/** A secret that signs the tokens of embedded pages. It is shown only once. */
export interface EmbedSecret {
  /** The `kid` of tokens. */
  id: string
  name: string
  createdBy: {
    id: string
    name: string
  }
  /** ISO 8601, UTC */
  createdAt: string
  /** Accurate to the minute; null if never used. */
  lastUsedAt: string | null
  /** When it was replaced: the end of the overlap. */
  expiresAt: string | null
}

export interface Embedding {
  /** The sites that may embed pages. If there is none, nothing can be embedded. */
  origins: string[]
  secrets: EmbedSecret[]
}

export type Encoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' | 'iso-8859-15'

export interface Endpoint {
  id: string
  url: string
  description: string | null
  eventTypes: EventType[]
  /** Events of the same automation or query are sent one after the other. */
  isOrdered: boolean
  state: EndpointState
  /** Consecutive events that exhausted all attempts. */
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
  isOrdered?: boolean
}

/** Outcomes of the last 100 deliveries. */
export interface EndpointHealth {
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

export interface EndpointSecrets {
  /** Null if it cannot be decrypted. */
  secret: string | null
  /** Null if there is none. */
  nextSecret: string | null
}

export interface EndpointSeries {
  parts: SeriesPart[]
  /** Set if there were too many deliveries to count: the series starts here. */
  countedFrom: string | null
}

export type EndpointState = 'enabled' | 'disabled'

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
  | 'alert_not_set_up'
  | 'api_key_not_found'
  | 'attribute_missing'
  | 'automation_already_running'
  | 'automation_not_found'
  | 'automation_run_not_found'
  | 'automation_without_model'
  | 'board_image_not_found'
  | 'board_not_found'
  | 'body_too_large'
  | 'change_not_found'
  | 'change_rows_expired'
  | 'changes_expired'
  | 'changes_not_published'
  | 'channel_in_use'
  | 'channel_not_found'
  | 'channel_not_slack'
  | 'channel_test_failed'
  | 'chat_already_answering'
  | 'chat_not_found'
  | 'chat_of_automation'
  | 'comment_not_found'
  | 'comment_thread_not_found'
  | 'cost_limit_exceeded'
  | 'count_changed'
  | 'cursor_expired'
  | 'cursor_invalid'
  | 'data_connector_not_found'
  | 'database_in_use'
  | 'database_not_found'
  | 'database_unreachable'
  | 'dbt_artifact_invalid'
  | 'delivery_not_found'
  | 'embed_origin_not_allowed'
  | 'embed_secret_not_found'
  | 'embed_token_expired'
  | 'embed_token_invalid'
  | 'endpoint_disabled'
  | 'endpoint_not_found'
  | 'evaluation_already_ended'
  | 'evaluation_already_running'
  | 'evaluation_not_found'
  | 'event_expired'
  | 'file_mismatch'
  | 'file_unreadable'
  | 'folder_name_taken'
  | 'folder_not_empty'
  | 'folder_not_found'
  | 'forbidden'
  | 'git_repository_not_found'
  | 'group_name_taken'
  | 'group_not_found'
  | 'history_fill_not_needed'
  | 'history_fill_not_possible'
  | 'history_fill_running'
  | 'idempotency_key_reused'
  | 'internal_error'
  | 'invalid_request'
  | 'invitation_not_found'
  | 'key_not_unique'
  | 'knowledge_changed'
  | 'knowledge_not_found'
  | 'last_admin'
  | 'link_not_valid'
  | 'managed_by_files'
  | 'measure_invalid'
  | 'member_not_found'
  | 'message_not_found'
  | 'method_not_allowed'
  | 'model_backtest_running'
  | 'model_budget_exhausted'
  | 'model_not_configured'
  | 'next_secret_missing'
  | 'organization_changed'
  | 'organization_not_found'
  | 'parameter_invalid'
  | 'parameter_missing'
  | 'project_conflict'
  | 'proof_not_found'
  | 'public_link_not_found'
  | 'public_link_password_required'
  | 'public_link_password_wrong'
  | 'push_outdated'
  | 'query_already_running'
  | 'query_not_found'
  | 'question_set_name_taken'
  | 'question_set_not_found'
  | 'ref_invalid'
  | 'reference_in_use'
  | 'reference_not_found'
  | 'report_address_not_found'
  | 'report_delivery_not_found'
  | 'report_not_found'
  | 'request_timeout'
  | 'result_damaged'
  | 'result_expired'
  | 'result_not_available'
  | 'result_not_kept'
  | 'route_not_found'
  | 'route_retired'
  | 'row_rules_apply'
  | 'run_already_ended'
  | 'run_not_found'
  | 'scope_missing'
  | 'second_factor_required'
  | 'secret_unreadable'
  | 'session_not_found'
  | 'signature_invalid'
  | 'sso_required'
  | 'store_unavailable'
  | 'table_exists'
  | 'table_not_found'
  | 'table_unreadable'
  | 'too_many_pinned'
  | 'too_many_requests'
  | 'unauthenticated'
  | 'version_conflict'
  | 'viewing_as_member'

/** Position of the error in `renderedSql`. Line and column start at 1. */
export interface ErrorPosition {
  line: number
  column: number
}

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

export type EventType =
  | 'automation.run.completed'
  | 'automation.run.failed'
  | 'query.run.completed'
  | 'query.run.failed'
  | 'board.report.sent'
  | 'automation.alert.fired'
  | 'automation.alert.resolved'
  | 'reference.changed'

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

export interface FailureMessage {
  number: number
  /** ISO 8601, UTC */
  createdAt: string
  /** The revision of the chat when this message last changed. */
  revision: number
  /** Null for messages by people and by the service itself. */
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

/** A query or a board that the caller marked as a favorite. */
export interface FavoriteItem {
  kind: ItemKind
  shortId: string
  title: string
  description: string | null
  /** ISO 8601, UTC */
  markedAt: string
}

export type FeedProblem = 'key_not_unique' | 'key_column_missing' | 'comparison_failed' | 'result_not_kept'

/** Your own feedback on an answer. */
export interface Feedback {
  isHelpful: boolean
  /** What the person added; null if nothing. */
  remark: string | null
}

/** A column of a result. */
export interface Field {
  name: string
  type: FieldType
}

export type FieldType = 'integer' | 'number' | 'decimal' | 'string' | 'boolean' | 'date' | 'timestamp' | 'json'

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

export interface FileDatabase {
  id: string
  name: string
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** Number of tables and views when the schema was last read; null until then. */
  tableCount: number | null
  lastTest: LastTest | null
  engine: FileEngine
  settings: {
    file: string
    /** It is the database in which queries read other saved queries with `ref(…)`. */
    readsSavedQueries?: true
    /** The member whose uploads it holds. */
    ownerId?: string
  }
}

export type FileEngine = 'duckdb' | 'sqlite'

export type FileFormat = 'csv' | 'jsonl' | 'json' | 'parquet' | 'xlsx'

export interface FilePreview {
  reading: CsvReading
  columns: {
    name: string
    /**
     * The first value that does not fit the type of the column, if one was found. In a workbook, `line` is the
     * row of the sheet.
     */
    misfit: {
      line: number
      value: string
    } | null
  }[]
  rows: string[][]
  /** The sheets of a workbook. */
  sheets: string[]
}

/** The first rows of a result. */
export interface FirstRows {
  fields: Field[]
  rows: unknown[][]
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
}

/** The new name or place of a folder. */
export interface FolderChange {
  name?: string
  parentId?: string | null
}

/** `none`: the folder and everything in it is hidden. */
export type FolderLevel = 'none' | 'view' | 'edit'

export interface FolderLevels {
  levels: GroupFolderLevel[]
}

/** Something of the organization that matches a search. */
export interface FoundItem {
  kind: FoundKind
  /**
   * The short id of a board, a query or a chat; the id of an automation; the id of the database of a table or a
   * column.
   */
  id: string
  title: string
  description: string | null
  /** The table of a table or a column, with its schema. */
  table: string | null
  /** Whether it is a verified query. */
  isVerified: boolean
}

export type FoundKind = 'board' | 'query' | 'automation' | 'chat' | 'table' | 'column'

/** A reference in a list, with details that help to find the right one. */
export interface FoundReference {
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
  createdByName: string
  /** Null while the reference is optimistic. */
  analyticalDatabaseConfigId: string | null
  visualizationType: VisualizationType | null
  /** Whether it is a favorite of the caller. */
  isFavorite: boolean
  /** Null at the top. */
  folderId: string | null
  tags: string[]
  verification: Verification | null
  latestRun: LatestRunOfReference | null
}

export interface FoundTables {
  items: CatalogTable[]
  /** Whether these are all that match. */
  isComplete: boolean
}

/** A Git repository that pushes its files with signed requests. */
export interface GitRepository {
  id: string
  name: string
  /** Where people find the files. */
  url: string
  pushUrl: string
  createdBy: RepositoryCreator
  /** ISO 8601, UTC */
  createdAt: string
  lastPushedAt: string | null
  previousSecretUntil: string | null
}

export interface GivenBoardDescription {
  /** What the board should show, in plain words. */
  description: string
}

/** Values of a board’s parameters. */
export interface GivenBoardValues {
  /** Values of the board’s parameters, by name. Those left out have their defaults. */
  parameters?: Record<string, (string | number | boolean)[] | string | number | boolean>
}

export interface GivenCondition {
  reference: string
  kind: 'row_count' | 'value' | 'changed' | 'alert'
  column?: string
  comparison?: Comparison
  number?: number
  everyTime?: boolean
  tests?: AlertTest[]
  muteWindows?: MuteWindow[]
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
  isOrdered?: boolean
}

export interface GivenInstructions {
  databaseId: string | null
  text: string
  /** The version that was read, 0 if there was none. A change of any other version is rejected. */
  version: number
}

export interface GivenLinkPassword {
  password: string
}

export interface GivenMetric {
  name: string
  description: string
  unit: string | null
  synonyms: string[]
  definition: {
    kind: 'sql'
    databaseId: string
    sql: string
  } | {
    kind: 'reference'
    shortId: string
  }
  ownerId: string | null
}

export interface GivenModelSettings {
  provider: ModelProvider
  baseUrl?: string
  model: string
  /** Omit it to keep the stored key. Null removes the key. */
  apiKey?: string | null
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

/** A value of a result, as it is shown. */
export interface GivenPoint {
  runId: string
  /** What identifies the row or the mark of a chart, such as its category and series. */
  keys: {
    column: string
    value: string
  }[]
  column: string
  value: string
}

/** A change of the knowledge to try before it is saved. */
export type GivenProposal = {
  kind: 'instructions'
  databaseId: string | null
  text: string
} | {
  kind: 'metric'
  /** The metric to change; null to add one. */
  id: string | null
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
} | {
  kind: 'table'
  databaseId: string
  schema: string
  table: string
  description: string | null
  /** By name. Columns left out have no description of their own. */
  columns: Record<string, string>
}

export interface GivenQuestionSet {
  name: string
  questions: TestQuestion[]
  schedule?: Schedule | null
}

/** Which tiles to run, and with which values. */
export interface GivenRefresh {
  /** Values of the board’s parameters, by name. Those left out have their defaults. */
  parameters?: Record<string, (string | number | boolean)[] | string | number | boolean>
  /** Only these tiles. By default all. */
  tileIds?: string[]
  /** Only tiles without a stored result. */
  onlyMissing?: boolean
}

export interface GivenSuggestion {
  /** At most 1000 characters. */
  text: string
  target: SuggestionTarget
  chat?: AboutAnswer
}

export interface GivenTableDescription {
  databaseId: string
  schema: string
  table: string
  description: string | null
  /** By name. Columns left out have no description of their own. */
  columns: Record<string, string>
  /** The version that was read, 0 if there was none. A change of any other version is rejected. */
  version: number
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

/** Tiles and their sizes, and the values of the board’s parameters. */
export interface GivenTileSizes {
  /** Values of the board’s parameters, by name. Those left out have their defaults. */
  parameters?: Record<string, (string | number | boolean)[] | string | number | boolean>
  tiles: {
    tileId: string
    /** How many rows the tile has room for. */
    maxRows: number
  }[]
}

export interface GivenViewerRefresh {
  /** Values of the parameters that the viewer has changed. */
  parameters?: Record<string, (string | number | boolean)[] | string | number | boolean>
  /** Only tiles without a stored result. */
  onlyMissing?: boolean
}

export interface GivenViewerValues {
  /** Values of the parameters that the viewer has changed. */
  parameters?: Record<string, (string | number | boolean)[] | string | number | boolean>
}

export interface GivenVisualization {
  type: 'table' | 'number' | 'line' | 'bar' | 'area' | 'scatter' | 'pie' | 'combo' | 'pivot' | 'heatmap' | 'funnel' | 'histogram' | 'map'
  jsxConfig?: string
  marginConfig?: {
    top?: number
    right?: number
    bottom?: number
    left?: number
  }
  /** In the order in which the columns are shown. Columns that are not listed follow. */
  columns?: ColumnSettings[]
  /** Whether tables end with a row of totals. */
  hasTotals?: boolean
}

/** A set of members. */
export interface Group {
  id: string
  name: string
  memberIds: string[]
  /** ISO 8601, UTC */
  createdAt: string
}

export interface GroupDatabaseLevel {
  /** Null: every member. */
  groupId: string | null
  level: DatabaseLevel
}

export interface GroupEdit {
  name?: string
  memberIds?: string[]
}

export interface GroupFolderLevel {
  /** Null: every member. */
  groupId: string | null
  level: FolderLevel
}

/** A group that the keys of this person can belong to. */
export interface GroupOfKeys {
  id: string
  name: string
}

/** Runs a query for past days, so that backtests have a history. */
export interface HistoryFill {
  parameter: string
  state: HistoryFillState
  dayCount: number
  /** Days that are done, those that failed included. */
  doneCount: number
  failedCount: number
  reason: string | null
}

export type HistoryFillState = 'due' | 'completed' | 'stopped' | 'failed'

export interface HistorySettings {
  limits: {
    days: number
    count: number
    bytes: number
  }
  defaults: {
    days: number
    count: number
    bytes: number
  }
  storedBytes: number
}

export interface HistoryUse {
  referenceShortId: string
  title: string
  resultCount: number
  pinnedCount: number
  storedBytes: number
}

export interface ImportedTable {
  schema: string
  name: string
  kind: 'table' | 'view'
  columns: Column[]
  /** The database’s own estimate; null if it has none. */
  rowEstimate: number | null
  /** The description of the organization or, without one, the database’s own comment. */
  comment: string | null
  rowCount: number
}

/** What admins tell agents, about the organization or about one database. */
export interface Instructions {
  /** Null for the organization. */
  database: {
    id: string
    name: string
  } | null
  /** Markdown; empty if there are none. */
  text: string
  version: number
  changed: {
    by: PersonName
    /** ISO 8601, UTC */
    at: string
  } | null
  maxCharacters: number
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

export type ItemKind = 'reference' | 'board'

/** What a board or an automation reads, directly and through saved queries. */
export interface ItemLineage {
  references: ReadReference[]
  /** The tables that any of these saved queries reads. */
  tables: LineageTable[]
  /** False if the SQL may read more than is listed, for example with a table function. */
  isComplete: boolean
}

/** How the caller finds a query or a board again. */
export interface ItemMarks {
  /** Whether it is a favorite of the caller. */
  isFavorite: boolean
  /** Null at the top. */
  folderId: string | null
  tags: string[]
}

export interface ItemMove {
  kind: ItemKind
  shortId: string
  /** Null moves it to the top. */
  folderId: string | null
}

export interface ItemMoves {
  items: ItemMove[]
}

export interface ItemTagging {
  kind: ItemKind
  shortId: string
  add: string[]
  remove: string[]
}

export interface ItemTaggings {
  items: ItemTagging[]
}

export interface ItemTags {
  tags: string[]
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

/** How an API key was used. */
export interface KeyUse {
  id: string
  name: string
  /** Null if the key was deleted with its member. */
  prefix: string | null
  isRevoked: boolean
  user: Person
  requestCount: number
  refusedCount: number
  failedCount: number
  /** ISO 8601, UTC */
  lastAt: string
  lastAddress: string | null
  /** `YYYY-MM-DD`, UTC. Days without requests are omitted. */
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

export type KnowledgeKind = 'instructions' | 'metric' | 'table' | 'verified_query'

/** What the organization knows that was part of the agent’s prompt. */
export interface KnowledgeMessage {
  number: number
  /** ISO 8601, UTC */
  createdAt: string
  /** The revision of the chat when this message last changed. */
  revision: number
  /** Null for messages by people and by the service itself. */
  agentRunId: string | null
  user: {
    id: string
    name: string
  } | null
  kind: 'knowledge'
  used: UsedKnowledge[]
}

/** One change of what agents know. */
export interface KnowledgeVersion {
  id: string
  itemId: string
  number: number
  kind: KnowledgeKind
  /** What the version is about, such as “Metric Net revenue”. */
  name: string
  /** Its text before; null if there was none. */
  before: string | null
  /** Its text since; null if it was deleted. */
  after: string | null
  changedBy: PersonName
  /** ISO 8601, UTC */
  changedAt: string
  /** The version that was restored with this one. */
  restoredNumber: number | null
  isCurrent: boolean
}

/** The last test, or the last run that the database answered since. */
export type LastTest = {
  ok: true
  durationMs?: number
  version?: string
  /** ISO 8601, UTC */
  testedAt: string
} | {
  ok: false
  message: string
  /** The setting at fault, such as `/settings/port`, if known. */
  path?: string
  /** ISO 8601, UTC */
  testedAt: string
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

export interface LatestRunOfReference {
  id: string
  status: RunStatus
  /** When the run was requested. */
  runAt: string
  /** When it completed or failed; null until then. */
  completedAt: string | null
  /** True if a person stopped it. Its status is then `failed`. */
  isStopped: boolean
}

/** A day or a calendar month, UTC. */
export type LimitPeriod = 'day' | 'month'

/** The whole organization, or each person. */
export type LimitScope = 'organization' | 'person'

export type LimitUnit = 'tokens' | 'money'

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

export interface LinkPass {
  /** Send it as `Authorization: Bearer <pass>` with all other requests for this link. */
  pass: string
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

/** An API key with the member it acts as. */
export interface ListedApiKey {
  id: string
  name: string
  /** The first characters of the key, to recognize it. */
  prefix: string
  /** ISO 8601, UTC */
  createdAt: string
  /** Accurate to the minute; null if never used. */
  lastUsedAt: string | null
  /** What the key may do, at most what its member may do. */
  scopes: ApiKeyScope[]
  /** Null: never. */
  expiresAt: string | null
  /** The CIDR blocks from which the key is accepted. Null: from any address. */
  allowedNetworks: string[] | null
  /** The groups that the key belongs to. It sees what they may see. Null: what its member may see. */
  groupIds: string[] | null
  user: Person
}

/** One run of an automation in a list. */
export interface ListedAutomationRun {
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
}

/** A board in a list. */
export interface ListedBoard {
  id: string
  /** Identifier of the permalink, `/b/<shortId>`. Never changes. */
  shortId: string
  permalink: string
  title: string
  /** Null if there is none. */
  description: string | null
  /** The folder it is in; null at the top. */
  folderId: string | null
  tileCount: number
  tags: string[]
  /** Increases with every change. Changes carry it as `If-Match`. */
  version: number
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
  createdBy: {
    id: string
    name: string
  } | null
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
  /** The person who started the chat with a question; null for a chat of an automation. */
  startedBy: {
    id: string
    name: string
  } | null
  /** Increases with every change. */
  revision: number
  run: AgentRun | null
}

export interface ListedEndpoint {
  id: string
  url: string
  description: string | null
  eventTypes: EventType[]
  /** Events of the same automation or query are sent one after the other. */
  isOrdered: boolean
  state: EndpointState
  /** Consecutive events that exhausted all attempts. */
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

/** Feedback on an answer, with its question. */
export interface ListedFeedback {
  chat: {
    shortId: string
    title: string
  }
  /** The number of the answer in its chat. */
  messageNumber: number
  /** The question or instructions that were answered. */
  question: string | null
  /** The beginning of the answer, as plain text. */
  answer: string
  person: {
    id: string
    name: string
  }
  isHelpful: boolean
  /** What the person added; null if nothing. */
  remark: string | null
  /** ISO 8601, UTC */
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
  /** The IP address that was contacted; null if none was. */
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
  /** True while it waits for an earlier event of its key, at an endpoint that receives events in order. */
  isWaiting: boolean
  endedAt: string | null
  heldAt: string | null
  attemptCount: number
  /** Whether a worker is making an attempt right now. */
  isBeingSent: boolean
  attempts: LoggedAttempt[]
}

/** An item that can only be changed with its file. */
export interface ManagedItem {
  id: string
  /** Of its file. */
  url: string
}

export interface MarkdownMessage {
  number: number
  /** ISO 8601, UTC */
  createdAt: string
  /** The revision of the chat when this message last changed. */
  revision: number
  /** Null for messages by people and by the service itself. */
  agentRunId: string | null
  user: {
    id: string
    name: string
  } | null
  kind: 'text' | 'summary' | 'answer'
  text: string
  figures: Figure[]
  /** Questions to ask next. */
  followUps: string[]
  feedback: Feedback | null
}

/** Colors the cells that match. */
export interface MatchRule {
  when: 'above' | 'below' | 'between' | 'equals' | 'contains'
  value: string | number
  /** For `between`: the upper bound. */
  to?: number
  color: string
}

export interface Member {
  id: string
  email: string
  name: string
  role: Role
  /** ISO 8601, UTC */
  joinedAt: string
  /** Null unless an admin asks. */
  hasSecondFactor: boolean | null
  /** Whether the identity provider decides the role. */
  isRoleFromProvider: boolean
}

/** A text about a member that row rules refer to. */
export interface MemberAttribute {
  userId: string
  name: string
  value: string
  isFromProvider: boolean
}

export interface MemberAttributes {
  attributes: Record<string, string>
}

export type Message =
  | PlainMessage
  | QuestionMessage
  | MarkdownMessage
  | KnowledgeMessage
  | QueryRunStep
  | ToolCallStep
  | ChartStep
  | ReferenceStep
  | FailureMessage

/** A figure that people agreed on how to compute. */
export interface Metric {
  id: string
  name: string
  description: string
  /** Such as `€` or `%`; null for a plain number. */
  unit: string | null
  /** Other names by which people ask for it. */
  synonyms: string[]
  definition: MetricDefinition
  /** The member to ask about it. */
  ownerId: string | null
  version: number
  changedBy: PersonName
  /** ISO 8601, UTC */
  changedAt: string
}

export interface MetricChange {
  name: string
  description: string
  unit: string | null
  synonyms: string[]
  definition: {
    kind: 'sql'
    databaseId: string
    sql: string
  } | {
    kind: 'reference'
    shortId: string
  }
  ownerId: string | null
  /** The version that was read, 0 if there was none. A change of any other version is rejected. */
  version: number
}

export type MetricDefinition = {
  kind: 'sql'
  databaseId: string
  sql: string
} | {
  kind: 'reference'
  shortId: string
}

/** Which past summaries the model can write, and what they would cost. */
export interface ModelBacktest {
  model: string
  /** When summaries can be written for, newest first; at most five. */
  times: string[]
  /** For each summary. Null without earlier runs to judge by. */
  estimate: SummaryEstimate | null
  currency: string | null
}

/** The limits and prices of the organization’s model. */
export interface ModelBudget {
  /** Three letters, such as EUR. Required for prices and for limits in money. */
  currency: string | null
  limits: ModelLimit[]
  prices: ModelPrice[]
}

/** How much of the model may be used. */
export interface ModelLimit {
  scope: LimitScope
  period: LimitPeriod
  unit: LimitUnit
  /** At 0, the model cannot be used. */
  amount: number
}

export interface ModelPrice {
  model: string
  /** Of a million input tokens. */
  inputPrice: number
  /** Of a million output tokens. */
  outputPrice: number
}

export type ModelProvider = 'openai_compatible' | 'anthropic'

/** The model that the organization’s agents use. Its API key is never returned. */
export interface ModelSettings {
  provider: ModelProvider
  baseUrl: string
  model: string
  hasApiKey: boolean
  /** ISO 8601, UTC */
  updatedAt: string
}

/** A summary that the model would have written. */
export interface ModelSummary {
  /** Markdown. Null if the model did not write one. */
  summary: string | null
  failureReason: string | null
  /** How many of its figures could not be verified. */
  unverifiedCount: number
  inputTokens: number
  outputTokens: number
}

export type ModelTest = {
  ok: true
  durationMs: number
  reply: string
} | {
  ok: false
  message: string
}

/** Usage of the model. Null for a digest. */
export interface ModelUsage {
  inputTokens: number
  outputTokens: number
  /** Number of calls to the model. */
  steps: number
}

/** What the model has used: of everyone for admins, otherwise of the caller. */
export interface ModelUsageReport {
  /** The first day, YYYY-MM-DD, UTC. */
  from: string
  days: number
  total: ModelUseGroup
  /** The 100 with the most tokens, ordered by tokens. */
  people: ModelUseOfPerson[]
  /** The 100 with the most tokens, ordered by tokens. */
  sources: ModelUseOfSource[]
  /** The 100 with the most tokens, ordered by tokens. */
  models: ModelUseOfModel[]
  /** What has been used in the current day and month. Empty if there are no limits. */
  spent: SpentAmount[]
}

export interface ModelUseGroup {
  inputTokens: number
  outputTokens: number
  /** How many requests were sent to the model. */
  requestCount: number
  /** Null if the models have no price. */
  cost: number | null
  /** Only days with use, oldest first. */
  days: DailyModelUse[]
}

export interface ModelUseOfModel {
  model: string
  inputTokens: number
  outputTokens: number
  /** How many requests were sent to the model. */
  requestCount: number
  /** Null if the models have no price. */
  cost: number | null
  /** Only days with use, oldest first. */
  days: DailyModelUse[]
}

export interface ModelUseOfPerson {
  id: string
  name: string
  inputTokens: number
  outputTokens: number
  /** How many requests were sent to the model. */
  requestCount: number
  /** Null if the models have no price. */
  cost: number | null
  /** Only days with use, oldest first. */
  days: DailyModelUse[]
}

export interface ModelUseOfSource {
  kind: ModelUseSourceKind
  /** The automation’s id; null for chats and evaluations, which are counted together. */
  id: string | null
  name: string
  inputTokens: number
  outputTokens: number
  /** How many requests were sent to the model. */
  requestCount: number
  /** Null if the models have no price. */
  cost: number | null
  /** Only days with use, oldest first. */
  days: DailyModelUse[]
}

export type ModelUseSourceKind = 'automation' | 'chats' | 'evaluations'

/** Times at which an alert sends no messages. */
export interface MuteWindow {
  /** 1 is Monday. */
  days: number[]
  /** As 22:00. */
  from: string
  /** As 06:30, or 24:00. Before `from`: on the next day. */
  to: string
  timeZone: string
}

export interface NamedItem {
  kind: ItemKind
  shortId: string
}

export interface NamedItems {
  items: NamedItem[]
}

export interface NewApiKey {
  name: string
  /** Default: what every key could do before there were scopes. */
  scopes?: ApiKeyScope[]
  expiresAt?: string | null
  allowedNetworks?: string[] | null
  groupIds?: string[] | null
}

export interface NewAutomation {
  name: string
  instructions: string
  /** The shortIds of query references. */
  references: string[]
  schedule?: Schedule | null
  condition?: GivenCondition | null
  agent?: AgentKind
  enabled?: boolean
  strict?: boolean
}

/** A board to create. Only the title is required. */
export interface NewBoard {
  title: string
  description?: string | null
  /** Null for the top. */
  folderId?: string | null
  parameters?: GivenParameter[]
  tabs?: BoardTab[]
  tiles?: GivenTile[]
}

export interface NewChannel {
  kind: ChannelKind
  name: string
  /** What the kind of channel needs to know, without its secret. */
  settings?: Record<string, string>
  /** The URL or the token that gives access. Never returned. */
  secret?: string
}

export interface NewEmbedSecret {
  id: string
  name: string
  /** Shown only in this response. */
  secret: string
}

/** A folder to create. */
export interface NewFolder {
  name: string
  parentId?: string | null
}

export interface NewGitRepository {
  name: string
  url: string
}

export interface NewGroup {
  name: string
  memberIds?: string[]
}

export interface NewHistoryFill {
  /** A parameter of type date or timestamp. */
  parameter: string
  /** How many days before today. */
  days: number
}

/** The only response that contains the link. */
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
  /** The mail server’s response if it rejected the e-mail. */
  mailFault: string | null
}

/** By default, viewers see stored results and can change nothing. */
export interface NewPublicLink {
  /** Parameters that viewers may change. All others keep their default. */
  parameters?: PublicParameter[]
  /** Whether viewers see the SQL. */
  showsSql?: boolean
  /** Whether viewers may run the queries, within limits. */
  allowsRefresh?: boolean
  /** The formats in which viewers may download results. */
  downloads?: ViewerDownload[]
  /** When the link stops working. Null: never. */
  expiresAt?: string | null
  /** Viewers must enter it. Null: no password. */
  password?: string | null
}

export interface NewReference {
  queryId?: string
  title?: string
  description?: string | null
  visualization?: GivenVisualization | null
  parameters?: GivenParameter[]
}

export interface NewReport {
  content: ReportContent
  target: ReportTarget
  when?: ReportWhen
  minimumSeverity?: Severity | null
  values?: ReportValues | null
  attachments?: AttachmentKind[]
  isEnabled?: boolean
}

/** The only response that contains the secret. */
export interface NewRepositorySecret {
  id: string
  name: string
  pushUrl: string
  secret: string
}

export interface NewThread {
  text: string
  tileId?: string
  point?: GivenPoint
}

/** An in-app notification for the signed-in user. */
export interface Notification {
  id: string
  kind: NotificationKind
  message: string
  /** Path of the page it is about. */
  link: string
  /** ISO 8601, UTC */
  createdAt: string
  readAt: string | null
}

export type NotificationKind =
  | 'endpoint_failing'
  | 'endpoint_disabled'
  | 'run_failed'
  | 'sign_ins_failing'
  | 'comment_mention'
  | 'comment_reply'
  | 'channel_disabled'
  | 'report_failed'
  | 'address_bounced'
  | 'alert_fired'

export interface NotificationPage {
  items: Notification[]
  /** Send it as `cursor` to get the next page. Opaque; absent on the last page. */
  nextCursor?: string
  unreadCount: number
}

export interface NotificationSettings {
  emailEnabled: boolean
  /** Whether e-mails are also sent about mentions and replies. Has no effect unless `emailEnabled`. */
  commentEmailEnabled: boolean
  /** Whether the operator has set up a mail server. */
  canSendMail: boolean
  email: string
}

/** An invitation, opened by its link. It does not say whether the address has an account. */
export interface OpenedInvitation {
  organizationName: string
  email: string
  role: Role
  invitedByName: string
  /** ISO 8601, UTC */
  expiresAt: string
}

export interface Option {
  value: string
  label: string
}

/** The values in a column of a reference’s result, to choose from. */
export interface OptionsOfReference {
  /** `missing` if the reference has no stored result with these values, so that it needs to run. */
  status: 'ready' | 'running' | 'missing' | 'failed'
  options: Option[]
  /** Whether these are all. If not, a search finds the others. */
  isComplete: boolean
  /** When the result was made. */
  completedAt: string | null
  failureReason: string | null
  /** The values to run the reference with. */
  parameterValues: Record<string, (string | number | boolean)[] | string | number | boolean>
}

export interface Organization {
  id: string
  name: string
  /** While this is off, no events are published, and endpoints can be neither read nor changed. */
  webhooksEnabled: boolean
  /** The colors of charts, such as #1d4a51, in the order of use. Null for the default ones. */
  chartPalette: string[] | null
  /** While this is off, no public link of the organization can be opened. */
  publicLinksEnabled: boolean
  /** While this is on, each member can upload files into a database of their own. */
  memberUploadsEnabled: boolean
  costLimits: CostLimits
  /** While this is on, people who sign in with a password need a second factor. */
  secondFactorRequired: boolean
  /** While this is on, people sign in with the identity provider instead of a password. */
  ssoRequired: boolean
}

/** A run that the caller started, with the saved query it belongs to. */
export interface OwnRun {
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
  startedAt: string | null
  completedAt: string | null
  durationMs: number | null
  failureReason: string | null
  /** True if a person stopped it. Its status is then `failed`. */
  isStopped: boolean
  errorPosition: ErrorPosition | null
  rowCount: number | null
  /** Number of rows written so far; null unless the run is running. */
  rowCountSoFar: number | null
  /** Percentage of the work before the first row that is done; null unless the run is running. */
  progress: number | null
  rowsRead: number | null
  rowsWritten: number | null
  bytesRead: number | null
  resultSizeBytes: number | null
  reference: ReferenceLink | null
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

/** The account whose password the link resets. */
export interface PasswordReset {
  email: string
}

/** The layout of a board at a time, and what its queries showed then. */
export interface PastBoard {
  title: string
  /** Empty unless the board is divided into tabs. */
  tabs: BoardTab[]
  tiles: Tile[]
  /** False if the board was created later. Then this is its first version. */
  isFromThen: boolean
  items: PastTile[]
}

export interface PastReference {
  shown: PastResult | null
  oldestAt: string | null
}

/** A kept result, with the query as it was saved then. */
export interface PastResult {
  result: KeptResult
  sql: string | null
  queryId: string
  parameterValues: Record<string, (string | number | boolean)[] | string | number | boolean>
  title: string
  description: string | null
  parameters: ParameterDefinition[]
  visualization?: Visualization
}

export interface PastSummary {
  /** ISO 8601, UTC */
  at: string
  /** Markdown. */
  summary: string
  isNotable: boolean
}

export interface PastSummaryRequest {
  /** ISO 8601, UTC */
  at: string
  /** In place of the saved ones. */
  instructions?: string
}

export interface PastTile {
  referenceShortId: string
  shown: PastResult | null
  oldestAt: string | null
}

export interface Person {
  id: string
  email: string
  name: string
}

export interface PersonName {
  id: string
  name: string
}

export interface PlainMessage {
  number: number
  /** ISO 8601, UTC */
  createdAt: string
  /** The revision of the chat when this message last changed. */
  revision: number
  /** Null for messages by people and by the service itself. */
  agentRunId: string | null
  user: {
    id: string
    name: string
  } | null
  kind: 'instruction' | 'note'
  text: string
}

export interface PreviewedRecipient {
  email: string
  isMember: boolean
  values: RecipientValues | null
  /** Why it is not sent. Null if it is. */
  dropReason: 'unconfirmed' | 'unsubscribed' | 'bounced' | 'not_a_member' | 'channel_disabled' | 'report_disabled' | 'already_confirmed' | null
}

/** A link that shows a query or a board to anyone who has it. */
export interface PublicLink {
  id: string
  /** The link to send. Null if the service’s SECRET_KEY was changed since. */
  url: string | null
  kind: ItemKind
  shortId: string
  /** The title of the query or board; null if it was deleted. */
  title: string | null
  /** Parameters that viewers may change. All others keep their default. */
  parameters: PublicParameter[]
  /** Whether viewers see the SQL. */
  showsSql: boolean
  /** Whether viewers may run the queries, within limits. */
  allowsRefresh: boolean
  /** The formats in which viewers may download results. */
  downloads: ViewerDownload[]
  hasPassword: boolean
  /** Null if it does not expire. */
  expiresAt: string | null
  isExpired: boolean
  createdBy: {
    id: string
    name: string
  }
  /** ISO 8601, UTC */
  createdAt: string
  /** How often the page was opened. */
  viewCount: number
  /** Null if nobody has opened it yet. */
  lastViewedAt: string | null
}

/** The fields of a public link to change. */
export interface PublicLinkChange {
  /** Parameters that viewers may change. All others keep their default. */
  parameters?: PublicParameter[]
  /** Whether viewers see the SQL. */
  showsSql?: boolean
  /** Whether viewers may run the queries, within limits. */
  allowsRefresh?: boolean
  /** The formats in which viewers may download results. */
  downloads?: ViewerDownload[]
  /** When the link stops working. Null: never. */
  expiresAt?: string | null
  /** Viewers must enter it. Null: no password. */
  password?: string | null
}

/** A parameter that viewers may change. */
export interface PublicParameter {
  name: string
  /** The values that viewers may choose. The default is always one of them. */
  values: (string | number | boolean)[]
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

export interface QueryEstimate {
  /** The bytes that the query would read. Null if the engine has no estimate or rejects the statement. */
  estimatedBytes: number | null
  /** Why the query would be rejected now. Null if it may run. */
  exceededLimit: string | null
}

/** A query with the references that point to it. */
export interface QueryInFull {
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
  /** The references that point to it. */
  references: ReferenceLink[]
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

/** A run with the details that the web app shows. */
export interface QueryRun {
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
  startedAt: string | null
  completedAt: string | null
  durationMs: number | null
  failureReason: string | null
  /** True if a person stopped it. Its status is then `failed`. */
  isStopped: boolean
  errorPosition: ErrorPosition | null
  rowCount: number | null
  /** Number of rows written so far; null unless the run is running. */
  rowCountSoFar: number | null
  /** Percentage of the work before the first row that is done; null unless the run is running. */
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
  /** The revision of the chat when this message last changed. */
  revision: number
  /** Null for messages by people and by the service itself. */
  agentRunId: string | null
  user: {
    id: string
    name: string
  } | null
  kind: 'query_run'
  /** Null until the run has been started, or if it could not be started. */
  runId: string | null
  reference: ReferenceLink | null
  sql: string | null
  parameterValues: Record<string, (string | number | boolean)[] | string | number | boolean>
  status: RunStatus
  rowCount: number | null
  preview: FirstRows | null
  /** In the order in which the columns are shown. Columns that are not listed follow. */
  columns?: ColumnSettings[]
  failureReason: string | null
}

export interface QuestionMessage {
  number: number
  /** ISO 8601, UTC */
  createdAt: string
  /** The revision of the chat when this message last changed. */
  revision: number
  /** Null for messages by people and by the service itself. */
  agentRunId: string | null
  user: {
    id: string
    name: string
  } | null
  kind: 'question'
  text: string
  /** The number of the question or instruction that this question continues from; null if it starts the chat. */
  follows: number | null
}

/** Questions with known answers, to evaluate the model with. */
export interface QuestionSet {
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
  questions: TestQuestion[]
}

export type QuietReason = 'snoozed' | 'muted'

/** A saved query that a board or an automation reads. */
export interface ReadReference {
  shortId: string
  title: string
  /** The saved query that reads it with `ref(…)`; null if the board or automation uses it itself. */
  through: LinkedReference | null
}

/** A group of members that reports can be sent to. */
export interface RecipientGroup {
  id: string
  name: string
  memberCount: number
}

/** Values of the board’s parameters, by name. */
export type RecipientValues = Record<string, string[] | string>

/** The only response that contains the codes. Each works once. */
export interface RecoveryCodes {
  recoveryCodes: string[]
}

export interface ReferenceChange {
  title?: string
  description?: string | null
  visualization?: GivenVisualization | null
  parameters?: GivenParameter[]
  sql?: string
  analyticalDatabaseConfigId?: string
  /** Null for the top. */
  folderId?: string | null
  /**
   * How old its result may be when other queries read it with `ref`; null if a stored one is always fresh enough.
   */
  freshForSeconds?: number | null
}

export interface ReferenceHistorySettings {
  own: {
    days: number | null
    count: number | null
  }
  organization: {
    days: number
    count: number
  }
}

/** A reference in full, and whether it is verified. */
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
  verification: Verification | null
  /**
   * How old its result may be when other queries read it with `ref`; null if a stored one is always fresh enough.
   */
  freshForSeconds: number | null
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

export interface ReferenceLink {
  shortId: string
  title: string
}

export type ReferencePart = 'title' | 'description' | 'sql' | 'visualization' | 'parameters' | 'folder'

/** The agent saved a query under a permalink. */
export interface ReferenceStep {
  number: number
  /** ISO 8601, UTC */
  createdAt: string
  /** The revision of the chat when this message last changed. */
  revision: number
  /** Null for messages by people and by the service itself. */
  agentRunId: string | null
  user: {
    id: string
    name: string
  } | null
  kind: 'reference'
  shortId: string
  title: string
}

/** What a tile needs to know about its query. */
export interface ReferenceSummary {
  shortId: string
  title: string
  description: string | null
  visualization?: Visualization
  parameters: ParameterDefinition[]
  queryId: string
  /** Null while the reference has no query. */
  analyticalDatabaseConfigId: string | null
}

/** A saved state of a query. */
export interface ReferenceVersion {
  number: number
  title: string
  /** What differs from the version before. Empty for the first version. */
  changedParts: ReferencePart[]
  /** The version that was restored with this one. */
  restoredNumber: number | null
  /** ISO 8601, UTC */
  changedAt: string
  /** Null if the query was changed before there was a history. */
  changedBy: {
    id: string
    name: string
  } | null
  isCurrent: boolean
}

/** A saved state of a query, with its content. */
export interface ReferenceVersionInFull {
  number: number
  title: string
  /** What differs from the version before. Empty for the first version. */
  changedParts: ReferencePart[]
  /** The version that was restored with this one. */
  restoredNumber: number | null
  /** ISO 8601, UTC */
  changedAt: string
  /** Null if the query was changed before there was a history. */
  changedBy: {
    id: string
    name: string
  } | null
  isCurrent: boolean
  description: string | null
  /** Whether there was no SQL yet. */
  isOptimistic: boolean
  queryId: string
  sql: string
  analyticalDatabaseConfigId: string | null
  visualization?: Visualization
  parameters: ParameterDefinition[]
  folderId: string | null
}

export interface RenderedReport {
  document: ReportDocument
  message: ReportMessage
  attachments: {
    fileName: string
    contentType: string
    sizeBytes: number
  }[]
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

/** What is sent after a run of the automation, to whom and when. */
export interface Report {
  id: string
  automationId: string
  content: ReportContent
  target: ReportTarget
  when: ReportWhen
  /** For an alert: messages of a lower severity are not sent. Null: all are. */
  minimumSeverity: Severity | null
  values: ReportValues | null
  attachments: AttachmentKind[]
  isEnabled: boolean
  /** The outside addresses that the report names. */
  addresses: ReportAddress[]
  /** Addresses whose owners unsubscribed from the report. */
  unsubscribed: string[]
  createdBy: string
  /** ISO 8601, UTC */
  createdAt: string
  /** ISO 8601, UTC */
  updatedAt: string
}

export interface ReportAddress {
  email: string
  state: AddressState
}

export interface ReportAttempt {
  /** ISO 8601, UTC */
  at: string
  outcome: 'sent' | 'refused_for_now' | 'refused_for_good'
  /** What the receiver said. */
  detail: string | null
}

export interface ReportChange {
  content?: ReportContent
  target?: ReportTarget
  when?: ReportWhen
  minimumSeverity?: Severity | null
  values?: ReportValues | null
  attachments?: AttachmentKind[]
  isEnabled?: boolean
}

/** The summary of the run, or a board. */
export type ReportContent = {
  kind: 'summary'
} | {
  kind: 'board'
  boardShortId: string
}

/** One document for one recipient, with every attempt to send it. */
export interface ReportDelivery {
  id: string
  reportId: string
  automation: {
    id: string
    name: string
  }
  purpose: ReportDeliveryPurpose
  /** Null for a test and for a request to confirm an address. */
  automationRunId: string | null
  /** An e-mail address, or the name of the channel. */
  recipient: string
  channelId: string | null
  values: RecipientValues | null
  state: ReportDeliveryState
  /** Why it is not sent. Null if it is. */
  dropReason: 'unconfirmed' | 'unsubscribed' | 'bounced' | 'not_a_member' | 'channel_disabled' | 'report_disabled' | 'already_confirmed' | null
  attempts: ReportAttempt[]
  /** ISO 8601, UTC */
  createdAt: string
  nextAttemptAt: string | null
  endedAt: string | null
}

/** A delivery with what was sent. Null for a request to confirm an address. */
export interface ReportDeliveryInFull {
  id: string
  reportId: string
  automation: {
    id: string
    name: string
  }
  purpose: ReportDeliveryPurpose
  /** Null for a test and for a request to confirm an address. */
  automationRunId: string | null
  /** An e-mail address, or the name of the channel. */
  recipient: string
  channelId: string | null
  values: RecipientValues | null
  state: ReportDeliveryState
  /** Why it is not sent. Null if it is. */
  dropReason: 'unconfirmed' | 'unsubscribed' | 'bounced' | 'not_a_member' | 'channel_disabled' | 'report_disabled' | 'already_confirmed' | null
  attempts: ReportAttempt[]
  /** ISO 8601, UTC */
  createdAt: string
  nextAttemptAt: string | null
  endedAt: string | null
  rendered: RenderedReport | null
}

export type ReportDeliveryPurpose = 'report' | 'test' | 'confirmation'

export type ReportDeliveryState = 'due' | 'sent' | 'failed' | 'dropped'

/** What a recipient gets, independent of how it is sent. */
export interface ReportDocument {
  title: string
  /** One line, shown by mail programs beside the title. */
  preview: string
  link: string
  /** ISO 8601, UTC */
  sentAt: string
  sections: ReportSection[]
  /** Files that are too large to send, as links that work without signing in until they expire. */
  downloads?: {
    fileName: string
    link: string
    sizeBytes?: number
    /** ISO 8601, UTC */
    expiresAt: string
  }[]
  note?: string
}

/** What a link in a report for someone without an account is for. */
export type ReportLink = {
  kind: 'confirm'
  email: string
  organizationName: string
  state: AddressState
} | {
  kind: 'unsubscribe'
  email: string
  organizationName: string
  reportName: string
  isUnsubscribed: boolean
} | {
  kind: 'download'
  fileName: string
  organizationName: string
  /** Null for a file that is written while it is downloaded. */
  sizeBytes: number | null
  /** ISO 8601, UTC */
  expiresAt: string
}

/** What is sent: an e-mail, the blocks of a Slack message, the card of a Teams message, or an event. */
export type ReportMessage = {
  kind: 'email'
  /** With its images inside. */
  html: string
} | {
  kind: 'slack'
  /** For notifications. */
  text: string
  blocks: SlackBlock[]
  /** Shared below the message. */
  files: {
    title: string
    fileName: string
    sizeBytes: number
    /** An image as a data URL. Null for other files. */
    image: string | null
  }[]
} | {
  kind: 'teams'
  card: {
    body: CardElement[]
    actions: CardLink[]
  }
} | {
  kind: 'webhook'
  /** The event, in JSON. */
  body: string
}

export interface ReportPreview {
  /** Everyone who would get it now; the first 200. None for a channel. */
  recipients: PreviewedRecipient[]
  recipientCount: number
  rendered: RenderedReport
}

export interface ReportPreviewRequest {
  content: ReportContent
  target: ReportTarget
  when?: ReportWhen
  minimumSeverity?: Severity | null
  values?: ReportValues | null
  attachments?: AttachmentKind[]
  isEnabled?: boolean
  /** The place in the list of recipients whose report is shown. */
  recipient?: number
}

/** A member, a group of members, or an outside address, which has to confirm once. */
export type ReportRecipient = {
  kind: 'member'
  userId: string
} | {
  kind: 'address'
  email: string
} | {
  kind: 'admins'
} | {
  kind: 'everyone'
} | {
  kind: 'group'
  groupId: string
  /** Of a group that was deleted. Ignored for others. */
  name?: string
}

export type ReportSection = {
  kind: 'text'
  markdown: string
  figures: {
    start: number
    end: number
    link: string
  }[]
} | {
  kind: 'chart'
  title: string
  link: string
  imageId: string
  alt: string
} | {
  kind: 'table'
  title: string
  link: string
  fields: {
    name: string
    type: string
  }[]
  /** The first 20 rows. */
  rows: unknown[][]
  rowCount: number
} | {
  kind: 'number'
  title: string
  link: string
  text: string
  change?: string
} | {
  kind: 'failure'
  title: string
  link: string
  reason: string
}

/** Where the report is sent. */
export type ReportTarget = {
  kind: 'email'
  recipients: ReportRecipient[]
} | {
  kind: 'channel'
  channelId: string
  conversation?: string
}

export interface ReportTest {
  to: 'me' | 'channel'
}

/** Parameter values by recipient: from a list, or from the rows of a query. */
export type ReportValues = {
  kind: 'list'
  entries: {
    recipient: ReportRecipient
    values: RecipientValues
  }[]
} | {
  kind: 'query'
  referenceShortId: string
  emailColumn: string
  /** The column for each parameter of the board. */
  columns: Record<string, string>
}

/** `notable`: only after runs that found a change. `condition`: only if the automation’s condition is met. */
export type ReportWhen = 'always' | 'notable' | 'condition' | 'alert'

export interface RepositoryCreator {
  id: string
  name: string
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

export type Role = 'admin' | 'member'

/** Which attribute of a member decides about the rows of a database, and how. */
export interface RowRule {
  attribute: string
  kind: RowRuleKind
  /** Of the parameter or the setting; null for a role and a user. */
  name: string | null
  /** Null: automations can’t query the database. */
  automationValue: string | null
}

/**
 * What gets the value of the attribute: a parameter of queries, or the setting, role or user of the session at
 * the database.
 */
export type RowRuleKind = 'parameter' | 'setting' | 'role' | 'user'

export interface RowRules {
  rules: RowRule[]
}

/** A run with the references to its query and the results it reads. */
export interface RunInFull {
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
  startedAt: string | null
  completedAt: string | null
  durationMs: number | null
  failureReason: string | null
  /** True if a person stopped it. Its status is then `failed`. */
  isStopped: boolean
  errorPosition: ErrorPosition | null
  rowCount: number | null
  /** Number of rows written so far; null unless the run is running. */
  rowCountSoFar: number | null
  /** Percentage of the work before the first row that is done; null unless the run is running. */
  progress: number | null
  rowsRead: number | null
  rowsWritten: number | null
  bytesRead: number | null
  resultSizeBytes: number | null
  triggeredBy: RunTrigger
  /** The references that point to its query. */
  references: ReferenceLink[]
  /** The results that it reads with `ref(…)`, in the order of the SQL. */
  inputs: RunInput[]
}

/** A result of a saved query that a run reads with `ref(…)`. */
export interface RunInput {
  referenceShortId: string
  title: string
  parameterValues: Record<string, (string | number | boolean)[] | string | number | boolean>
  /** The run whose result is read. */
  runId: string
  /** While an input is `waiting`, the run has not started. */
  status: 'waiting' | 'completed' | 'failed'
  /** The hash of the result; null unless completed. */
  resultHash: string | null
  completedAt: string | null
  rowCount: number | null
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

/** What triggered the run. */
export interface RunTrigger {
  kind: 'user' | 'key' | 'automation' | 'chat' | 'link' | 'embed'
  /** Null if the trigger is no longer known. */
  name: string | null
  automationId: string | null
  chatShortId: string | null
}

/** Null if no model is set up. */
export interface SavedModelSettings {
  settings: ModelSettings | null
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

/** The next times of a schedule. */
export interface SchedulePreview {
  times: string[]
}

/** The second factor of the signed-in user. */
export interface SecondFactor {
  isOn: boolean
  /** Null while it is off. */
  since: string | null
  recoveryCodesLeft: number
  /** Whether an organization of the user requires it. */
  isRequired: boolean
}

/** A new key. It is not used until a code confirms it. */
export interface SecondFactorOffer {
  /** In Base32, for apps that cannot scan the QR code. */
  key: string
  /** The content of the QR code. */
  uri: string
  /** To be returned with the first code. */
  offer: string
}

/** What is missing to complete the sign-in. */
export interface SecondStep {
  step: SignInStep
  email: string
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
  /** Number of tables and views when the schema was last read; null until then. */
  tableCount: number | null
  lastTest: LastTest | null
  engine: ServerEngine
  settings: ServerSettings
  /** The password itself is never returned. */
  hasPassword: boolean
}

export type ServerEngine = 'postgres' | 'mysql' | 'clickhouse' | 'bigquery' | 'trino' | 'snowflake' | 'redshift'

export interface ServerPlace {
  host: string
  port: number
}

/** How to connect to a database server. */
export interface ServerSettings {
  host: string
  port: number
  otherHosts: ServerPlace[]
  database: string
  user: string
  tls: TlsMode
  /** PEM. Null to use the certificate authorities that the service trusts by default. */
  certificateAuthority: string | null
  /** Settings that only this engine has. Omitted if it has none. */
  options?: Record<string, string>
}

/** The signed-in user and the current organization. */
export interface Session {
  user: Person
  organization: {
    id: string
    name: string
    /** The colors of charts, such as #1d4a51, in the order of use. Null for the default ones. */
    chartPalette: string[] | null
  }
  role: Role
  /** All organizations of the user. */
  organizations: {
    id: string
    name: string
    role: Role
  }[]
  /** An admin looks at the pages as this user, and can change nothing. */
  isViewedAs: boolean
}

export type Severity = 'info' | 'warning' | 'critical'

/** A parameter that the viewer may change. */
export interface SharedParameter {
  name: string
  displayName: string
  description: string
  type: 'text' | 'number' | 'date' | 'timestamp' | 'boolean' | 'dateRange'
  isList: boolean
  /** What the page shows first; null if there is no default. */
  value: string | number | boolean | (string | number | boolean)[] | null
  /** The values to choose from; null for a field that takes any value. */
  choices: {
    value: string | number | boolean
    label: string
  }[] | null
}

export interface SharedResults {
  tiles: SharedTileResult[]
}

/** A part of a shared page. */
export interface SharedTile {
  id: string
  kind: 'reference' | 'text' | 'heading' | 'image'
  title: string | null
  text: string | null
  shows?: 'chart' | 'table'
  visualization?: Visualization
  /** Only if viewers may see it. */
  sql?: string
  /** A click on a category sets a parameter, which the viewer may change, to the value of a column. */
  filters?: {
    column: string
    parameter: string
  }
  tabId?: string
  x: number
  y: number
  width: number
  height: number
}

export interface SharedTileResult {
  tileId: string
  status: 'ready' | 'running' | 'missing' | 'failed'
  /** When the stored result was made; null if there is none. */
  completedAt: string | null
}

/** What a viewer sees of a query or a board, without its results. */
export interface SharedView {
  kind: ItemKind
  title: string
  description: string | null
  parameters: SharedParameter[]
  tabs: BoardTab[]
  /** A query has one. */
  tiles: SharedTile[]
  allowsRefresh: boolean
  downloads: ViewerDownload[]
  /** The colors of charts, such as #1d4a51, in the order of use. Null for the default ones. */
  chartPalette: string[] | null
  /** How long the token of an embedded page is still valid. Null for a public link. */
  tokenExpiresInSeconds: number | null
}

/** The rows that the chart draws, or all rows of a short result. */
export interface ShortResult {
  fields: Field[]
  rows: unknown[][]
  /** The number of all rows. */
  rowCount: number
}

/** Which results a board shows with some values of its parameters, and the rows of some tiles. */
export interface ShortResults {
  /** One for each `reference` tile, in the order of the tiles. */
  tiles: TileResult[]
  /** Of the given tiles. Those that need their whole result, or have none, are left out. */
  shortResults: {
    tileId: string
    runId: string
    result: ShortResult
  }[]
}

/** Sign-in options besides the password. */
export interface SignInOptions {
  oidc: {
    name: string
  } | null
  canResetPassword: boolean
}

/** Enter a code of the second factor, or set one up. */
export type SignInStep = 'code' | 'set_up'

export type SlackBlock = {
  type: 'header'
  text: SlackText
} | {
  type: 'section'
  text: SlackText
} | {
  type: 'section'
  fields: SlackText[]
} | {
  type: 'context'
  elements: SlackText[]
} | {
  type: 'divider'
} | {
  type: 'actions'
  elements: {
    type: 'button'
    text: SlackText
    url: string
  }[]
}

/** Whether people can ask questions from a Slack workspace. */
export interface SlackConnection {
  /** Where Slack sends events. */
  requestUrl: string
  /** The Slack app, as JSON to paste in Slack. */
  manifest: string
  hasSigningSecret: boolean
  /** Null if Slack did not name the bot’s permissions. */
  missingScopes: string[] | null
  /** Why Slack does not accept the bot. Null if it does. */
  refusal: string | null
  lastEventAt: string | null
  /** The last request with an invalid signature. */
  lastRejectedAt: string | null
  /** The last event of a workspace that is not the bot’s. */
  lastForeignAt: string | null
  problem: SlackProblem | null
}

export interface SlackProblem {
  /** ISO 8601, UTC */
  at: string
  reason: string
}

export interface SlackText {
  type: 'mrkdwn' | 'plain_text'
  text: string
}

export interface Snooze {
  until: string | null
}

export interface SpentAmount {
  scope: LimitScope
  period: LimitPeriod
  tokens: number
  money: number
}

export interface StoredTable {
  table: string
  sizeBytes: number
  rowCount: number | null
  kept: string
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
  | 'board'
  | 'board_image'
  | 'folder'
  | 'group'
  | 'comment'
  | 'public_link'
  | 'embed_secret'
  | 'git_repository'
  | 'webhook_endpoint'
  | 'delivery'
  | 'automation'
  | 'channel'
  | 'report'
  | 'report_address'
  | 'report_delivery'
  | 'chat'
  | 'model_settings'
  | 'model_budget'
  | 'question_set'
  | 'data_connector'
  | 'knowledge'
  | 'suggestion'
  | 'audit_log'

/** What a member suggests that agents should know. */
export interface Suggestion {
  id: string
  text: string
  target: SuggestionTarget
  chat: AboutAnswer | null
  state: SuggestionState
  suggestedBy: PersonName
  /** ISO 8601, UTC */
  suggestedAt: string
  decidedBy: PersonName | null
  decidedAt: string | null
}

export type SuggestionState = 'open' | 'accepted' | 'declined'

/** What a suggestion is added to. */
export type SuggestionTarget = {
  kind: 'instructions'
  databaseId: string | null
} | {
  kind: 'table'
  databaseId: string
  schema: string
  table: string
  /** Null for the table itself. */
  column: string | null
}

export interface SummaryEstimate {
  /** Whose earlier runs it is an average of. */
  basis: 'automation' | 'organization'
  runCount: number
  inputTokens: number
  outputTokens: number
  /** Null if the model has no price. */
  cost: number | null
}

export interface Table {
  schema: string
  name: string
  kind: 'table' | 'view'
  columns: Column[]
  /** The database’s own estimate; null if it has none. */
  rowEstimate: number | null
  /** The description of the organization or, without one, the database’s own comment. */
  comment: string | null
}

export interface TablePreview {
  fields: Field[]
  rows: unknown[][]
  /** The table has more rows than are shown. */
  hasMore: boolean
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

export interface TagsChange {
  tags: string[]
}

export type TestOutcome = {
  ok: true
  durationMs: number
  version: string
} | {
  ok: false
  message: string
  /** The setting at fault, such as `/settings/port`, if known. */
  path?: string
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

export interface ThreadChange {
  isResolved: boolean
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

export type TlsMode = 'off' | 'encrypted' | 'verified'

/** The model called a tool. */
export interface ToolCallStep {
  number: number
  /** ISO 8601, UTC */
  createdAt: string
  /** The revision of the chat when this message last changed. */
  revision: number
  /** Null for messages by people and by the service itself. */
  agentRunId: string | null
  user: {
    id: string
    name: string
  } | null
  kind: 'tool_call'
  tool: string
  /** The data connector that provides the tool; null for built-in tools. */
  connector: string | null
  input: string
  status: 'running' | 'completed' | 'failed'
  output: string | null
}

/** A deleted query or board that can be restored. */
export interface TrashItem {
  kind: ItemKind
  shortId: string
  title: string
  /** ISO 8601, UTC */
  deletedAt: string
  /** Null if it was deleted before the trash kept this. */
  deletedBy: {
    id: string
    name: string
  } | null
  /** When it is permanently removed, unless it is restored before. */
  removedAt: string
}

/** Outcome of a connection test with settings that are not stored. */
export type TriedConnection = {
  ok: true
  durationMs: number
  version: string
  tableCount: number | null
} | {
  ok: false
  message: string
  /** The setting at fault, such as `/settings/port`, if known. */
  path?: string
  tableCount: number | null
}

/** An evaluation to start, maybe with knowledge that is not saved. */
export interface TriedEvaluation {
  /** What you want to remember about it. */
  label?: string
  proposal?: GivenProposal
}

/** The password was right; this step is missing. */
export interface UnfinishedSignIn {
  step: SignInStep
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

export interface UsedKnowledge {
  kind: 'metric' | 'verified_query' | 'dbt_metric' | 'table' | 'instructions'
  /** What to call it before its name, such as “verified query”. */
  label: string
  name: string
  /** The page about it, as a path. */
  href?: string
}

export interface UsedTag {
  tag: string
  /** The number of queries and boards with this tag. */
  count: number
}

/** An admin has verified the query. */
export interface Verification {
  verifiedBy: PersonName
  /** ISO 8601, UTC */
  verifiedAt: string
  /** The SQL has changed since. The query then counts as not verified. */
  isOutdated: boolean
}

export interface VerifiedQuery {
  shortId: string
  title: string
  description: string | null
  databaseId: string
  verification: Verification
}

/** A query or a board that the caller has opened. */
export interface ViewedItem {
  kind: ItemKind
  shortId: string
  title: string
  description: string | null
  /** ISO 8601, UTC */
  viewedAt: string
}

/** A format that viewers may download results in. */
export type ViewerDownload = 'csv' | 'xlsx' | 'png'

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

export type VisualizationType =
  | 'table'
  | 'number'
  | 'line'
  | 'bar'
  | 'area'
  | 'scatter'
  | 'pie'
  | 'combo'
  | 'pivot'
  | 'heatmap'
  | 'funnel'
  | 'histogram'
  | 'map'

/** Initial values for the form behind the link that the first start prints. */
export interface Welcome {
  email: string
  organizationName: string
}
