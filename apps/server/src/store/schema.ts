import type { DatabaseLevel, FolderLevel } from '../model/access.ts'
import type { RowRule } from '../model/row-rule.ts'
import type { KnowledgeProposal } from '../model/knowledge.ts'
import type { Scope } from '../model/api-key-scope.ts'
import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { AgentKind, AgentRunTrigger, ModelUsage } from '../model/agent-run.ts'
import type { Observation } from '../model/observation.ts'
import type { CostLimits } from '../model/cost-limits.ts'
import type { ModelLimit } from '../model/model-budget.ts'
import type { ModelProvider } from '../model/model-settings.ts'
import type { AnswerStatus, EvaluationTrigger, TestQuestion } from '../model/question-set.ts'
import type { ActorKind, AuditDetails, SubjectType } from '../model/audit-record.ts'
import type { AuditAction } from '../model/audit-action.ts'
import type { AlertMessageKind, AlertRows, AlertState, AlertStatus, Severity } from '../model/alert.ts'
import type { Condition, ConditionState } from '../model/automation.ts'
import type { BoardContent, ImageContentType } from '../model/board.ts'
import type { FeedProblem } from '../model/change-feed.ts'
import type { MessageContent } from '../model/chat.ts'
import type { DataPoint } from '../model/comment.ts'
import type { AnalyticalDatabase, LastTest, PendingImport } from '../model/database.ts'
import type { CatalogColumn } from '../model/catalog.ts'
import type { ItemKind } from '../model/item.ts'
import type { KnowledgeContent, KnowledgeKind, SuggestionState, SuggestionTarget } from '../model/knowledge.ts'
import type { Channel, ChannelKind, ChannelSettings } from '../model/channel.ts'
import type {
  AddressState,
  AttachmentKind,
  DropReason,
  RecipientValues,
  ReportAttempt,
  ReportContent,
  ReportDeliveryPurpose,
  ReportDeliveryState,
  ReportDocument,
  ReportTarget,
  ReportValues,
  ReportWhen,
  ResultFileSource,
} from '../model/report.ts'
import type { ParameterDefinition, ParameterType, ParameterValues } from '../model/parameter.ts'
import type { KnownFiles } from '../model/git-repository.ts'
import type { ManagedKind } from '../model/managed-item.ts'
import type { NotificationKind } from '../model/notification.ts'
import type { Visualization } from '@querypost/visualization'
import type { Attempt, DeliveryState } from '../model/delivery.ts'
import type { EndpointState } from '../model/endpoint.ts'
import type { EventType } from '../model/event-type.ts'
import type { LinkPurpose, Role, SignInMethod } from '../model/people.ts'
import type { ViewerOptions } from '../model/sharing/public-link.ts'
import type { RunInputStatus, RunStatus } from '../model/run.ts'
import type { SlackQuestionState } from '../model/slack-question.ts'

/** TypeScript types of the service's own tables. `migrations/` is the source of truth and documents each column. */
export interface Schema {
  organizations: {
    id: string
    name: string
    created_at: Date
    webhooks_enabled: Generated<boolean>
    chart_palette: ColumnType<string[] | null, string | null | undefined, string | null>
    public_links_enabled: Generated<boolean>
    member_uploads_enabled: Generated<boolean>
    embed_origins: ColumnType<string[] | null, string | null | undefined, string | null>
    cost_limits: ColumnType<CostLimits | null, string | null | undefined, string | null>
    second_factor_required: Generated<boolean>
    sso_required: Generated<boolean>
  }
  users: {
    id: string
    email: string
    name: string
    password_hash: string | null
    created_at: Date
    email_notifications: Generated<boolean>
    comment_emails: Generated<boolean>
    sign_in_notice_at: Generated<Date | null>
  }
  sign_in_budgets: { key: string; full_at: Date }
  memberships: { organization_id: string; user_id: string; role: Role; created_at: Date; role_from_provider: Generated<boolean> }
  sessions: {
    token_hash: Uint8Array
    user_id: string
    organization_id: string
    created_at: Date
    expires_at: Date
    user_agent: Generated<string | null>
    last_seen_at: Generated<Date | null>
    method: Generated<SignInMethod | null>
    viewed_user_id: Generated<string | null>
  }
  second_factors: { user_id: string; sealed_key: Uint8Array; last_used_step: number; created_at: Date }
  recovery_codes: { user_id: string; code_hash: Uint8Array; used_at: Generated<Date | null> }
  person_links: {
    token_hash: Uint8Array
    purpose: LinkPurpose
    user_id: string
    created_at: Date
    expires_at: Date
    used_at: Generated<Date | null>
  }
  invitations: {
    id: string
    organization_id: string
    email: string
    role: Role
    token_hash: Uint8Array
    invited_by: string
    created_at: Date
    expires_at: Date
    accepted_at: Generated<Date | null>
  }
  oidc_identities: { issuer: string; subject: string; user_id: string; created_at: Date }
  api_keys: {
    id: string
    organization_id: string
    user_id: string
    name: string
    prefix: string
    key_hash: Uint8Array
    created_at: Date
    last_used_at: Date | null
    revoked_at: Date | null
    /** Null: what every key could do before there were scopes. */
    scopes: Scope[] | null
    expires_at: Date | null
    /** CIDR blocks; null: any address. */
    allowed_networks: string[] | null
    /** Null: those of the member. */
    group_ids: string[] | null
  }
  groups: { id: string; organization_id: string; name: string; created_by: string; created_at: Date }
  member_attributes: { organization_id: string; user_id: string; name: string; value: string; is_from_provider: Generated<boolean> }
  group_members: { group_id: string; organization_id: string; user_id: string }
  database_grants: { organization_id: string; database_id: string; group_id: string | null; level: DatabaseLevel }
  folder_grants: { organization_id: string; folder_id: string; group_id: string | null; level: FolderLevel }
  idempotent_answers: {
    api_key_id: string
    idempotency_key: string
    request_hash: Uint8Array
    status: number | null
    etag: string | null
    body: Uint8Array | null
    created_at: Date
  }
  api_budgets: { key: string; full_at: Date }
  present_workers: { id: string; lock_number: number }
  kept_lists: { id: string; organization_id: string; items: ColumnType<unknown[], string, never>; created_at: Date }
  git_repositories: {
    id: string
    organization_id: string
    name: string
    url: string
    sealed_secret: Uint8Array
    sealed_previous_secret: Generated<Uint8Array | null>
    previous_secret_until: Generated<Date | null>
    known: ColumnType<KnownFiles, string, string>
    last_signed_at: Generated<Date | null>
    last_pushed_at: Generated<Date | null>
    created_by: string
    created_at: Date
  }
  managed_items: { organization_id: string; kind: ManagedKind; item_id: string; url: string }
  dbt_imports: {
    organization_id: string
    analytical_database_config_id: string
    project: string
    manifest_version: number
    generated_at: string | null
    table_count: number
    found_table_count: number
    described_column_count: number
    metrics: ColumnType<unknown[], string, string>
    imported_by: string
    imported_at: Date
  }
  dbt_tables: {
    organization_id: string
    analytical_database_config_id: string
    schema_name: string
    table_name: string
    project: string
    content: ColumnType<unknown, string, string>
  }
  analytical_database_configs: {
    id: string
    organization_id: string
    name: string
    engine: AnalyticalDatabase['engine']
    settings: Json<AnalyticalDatabase['settings']>
    sealed_password: Generated<Uint8Array | null>
    revision: Generated<number>
    created_by: string
    created_at: Date
    table_count: Generated<number | null>
    last_test: ColumnType<LastTest | null, string | null | undefined, string>
    pending_import: ColumnType<PendingImport | null, string | null | undefined, string | null>
    deleted_at: Generated<Date | null>
    row_rules: ColumnType<RowRule[] | null, string | null | undefined, string | null>
  }
  queries: {
    id: string
    organization_id: string
    sql: string
    analytical_database_config_id: string
    created_by: string
    created_at: Date
    updated_at: Date
    created_xid: Generated<string>
    expired_at: Generated<Date | null>
    expired_xid: Generated<string | null>
  }
  query_references: {
    id: string
    organization_id: string
    short_id: string
    title: string
    description: string | null
    is_optimistic: boolean
    query_id: string
    stored_query_id: GeneratedAlways<string | null>
    visualization: Json<Visualization> | null
    parameters: Json<ParameterDefinition[]>
    created_by: string
    created_at: Date
    updated_at: Date
    deleted_at: Date | null
    version_xid: Generated<string>
    deleted_xid: Generated<string | null>
    is_listed: Generated<boolean>
    folder_id: Generated<string | null>
    fresh_for_seconds: Generated<number | null>
  }
  query_reference_history: {
    reference_id: string
    title: string
    description: string | null
    is_optimistic: boolean
    query_id: string
    updated_at: Date
    version_xid: string
    replaced_xid: string
    replaced_at: Date
  }
  query_reference_search: {
    reference_id: string
    organization_id: string
    analytical_database_config_id: string | null
    created_by: string
    created_at: Date
    words: string
  }
  runs: {
    id: string
    organization_id: string
    query_id: string
    analytical_database_config_id: Generated<string | null>
    number: number
    status: RunStatus
    trigger_id: string
    parameter_values: Json<ParameterValues>
    parameter_types: Json<Record<string, ParameterType>>
    rendered_sql: string
    run_at: Date
    started_at: Date | null
    completed_at: Date | null
    failure_reason: string | null
    rows_read: number | null
    rows_written: number | null
    bytes_read: Generated<number | null>
    row_count: number | null
    result_size_bytes: number | null
    result_hash: string | null
    result_removed_at: Date | null
    lease_number: Generated<number>
    lease_owner: string | null
    lease_expires_at: Date | null
    stop_requested_by: string | null
    created_xid: Generated<string>
    started_xid: string | null
    ended_xid: string | null
    row_count_so_far: number | null
    progress: number | null
    error_line: number | null
    error_column: number | null
    traceparent: string | null
    row_bindings: Generated<string | null>
  }
  results: {
    run_id: string
    place: 'postgres' | 'postgres_zstd' | 's3' | 's3_zstd'
    size_bytes: Generated<number | null>
    written_at: Generated<Date | null>
    removed_at: Generated<Date | null>
    held_until: Date
    upload_id: Generated<string | null>
  }
  result_pieces: { run_id: string; number: number; bytes: Uint8Array }
  archive_objects: {
    id: string
    organization_id: string
    content_hash: string
    key_id: string
    base_id: string | null
    chain_length: number
    chain_bytes: number
    place: 'files' | 'postgres' | 's3'
    upload_id: Generated<string | null>
    document_bytes: number
    stored_bytes: Generated<number | null>
    written_at: Generated<Date | null>
    created_at: Date
    removed_at: Generated<Date | null>
  }
  archive_pieces: { object_id: string; number: number; bytes: Uint8Array }
  archive_chains: { key_id: string; organization_id: string; reference_id: string | null; stored_bytes: Generated<number> }
  reference_space: { reference_id: string; organization_id: string; stored_bytes: number }
  organization_space: { organization_id: string; stored_bytes: number }
  archived_results: {
    reference_id: string
    run_id: string
    organization_id: string
    query_id: string
    parameter_values: Json<ParameterValues>
    parameter_types: Json<Record<string, ParameterType>>
    at: Date
    row_count: number
    size_bytes: number
    result_hash: string
    object_id: string | null
    archived_xid: Generated<string>
    removed_xid: string | null
    removed_at: Date | null
  }
  result_pins: {
    id: string
    reference_id: string
    run_id: string
    pinned_by: string
    pinned_at: Date
    pinned_xid: Generated<string>
    unpinned_xid: Generated<string | null>
    unpinned_at: Generated<Date | null>
  }
  archive_jobs: {
    run_id: string
    organization_id: string
    requested_at: Date
    state: Generated<'due' | 'archived' | 'skipped' | 'failed'>
    reason: Generated<string | null>
    attempt_count: Generated<number>
    lease_number: Generated<number>
    next_attempt_at: Date | null
    ended_at: Generated<Date | null>
  }
  change_feeds: {
    reference_id: string
    organization_id: string
    is_publishing: boolean
    chosen_key_columns: string[] | null
    key_columns: string[] | null
    problem: FeedProblem | null
    latest_number: Generated<number>
    head_run_id: string | null
    head_result_hash: string | null
    head_row_count: number | null
    next_position: Generated<number>
    attempt_count: Generated<number>
    lease_number: Generated<number>
    recorded_lease_number: Generated<number>
    next_attempt_at: Date | null
    updated_at: Date
  }
  change_feed_results: {
    reference_id: string
    position: number
    organization_id: string
    run_id: string
    parameters: Json<ParameterDefinition[]>
  }
  reference_changes: {
    reference_id: string
    number: number
    organization_id: string
    at: Date
    from_run_id: string
    to_run_id: string
    from_result_hash: string
    to_result_hash: string
    key_columns: string[]
    is_key_unique: boolean
    is_replacement: boolean
    added: number
    removed: number
    changed: number
    recorded_at: Date
  }
  result_history_settings: {
    organization_id: string
    kept_days: number
    kept_count: number
    kept_bytes: number
    updated_at: Date
  }
  reference_history_settings: {
    reference_id: string
    kept_days: number | null
    kept_count: number | null
    updated_at: Date
  }
  webhook_endpoints: {
    id: string
    organization_id: string
    url: string
    description: string | null
    event_types: EventType[]
    state: EndpointState
    consecutive_failures: Generated<number>
    disabled_at: Date | null
    disabled_reason: string | null
    secret: Uint8Array
    next_secret: Uint8Array | null
    is_ordered: Generated<boolean>
    is_releasing: Generated<boolean>
    created_by: string
    created_at: Date
    updated_at: Date
    deleted_at: Date | null
  }
  webhook_events: {
    id: string
    organization_id: string
    type: EventType
    created_at: Date
    body: string
    published_xid: Generated<string | null>
    is_test: Generated<boolean>
    traceparent: string | null
  }
  event_listeners: { id: string; organization_id: string; key_id: string; event_types: Generated<EventType[]>; listening_until: Date }
  webhook_deliveries: {
    id: string
    event_id: string
    endpoint_id: string
    state: DeliveryState
    is_test: boolean
    requested_by: string | null
    created_at: Date
    attempt_count: Generated<number>
    next_attempt_at: Date | null
    lease_number: Generated<number>
    lease_owner: string | null
    lease_expires_at: Date | null
    attempts: ColumnType<Attempt[], string | undefined, string>
    held_at: Date | null
    ended_at: Date | null
    order_key: string | null
    order_number: Generated<string | null>
  }
  notifications: {
    id: string
    organization_id: string
    user_id: string
    kind: NotificationKind
    message: string
    link: string
    created_at: Date
    read_at: Date | null
    email_state: 'due' | 'sent' | 'failed' | null
    email_attempt_count: Generated<number>
    email_lease_number: Generated<number>
    email_next_attempt_at: Date | null
    traceparent: Generated<string | null>
  }
  chats: {
    id: string
    organization_id: string
    short_id: string
    title: string
    revision: Generated<number>
    message_count: Generated<number>
    created_by: string | null
    created_at: Date
    created_xid: Generated<string | null>
    updated_at: Date
    state_changed_at: Date | null
    deleted_at: Date | null
    is_hidden: Generated<boolean>
  }
  chat_history: {
    chat_id: string
    revision: number
    title: string
    is_answering: boolean
    updated_at: Date
    replaced_xid: Generated<string>
    replaced_at: Date
  }
  chat_feedback: {
    chat_id: string
    message_number: number
    user_id: string
    organization_id: string
    is_helpful: boolean
    remark: string | null
    updated_at: Date
    id: string
  }
  chat_messages: {
    chat_id: string
    number: number
    agent_run_id: string | null
    user_id: string | null
    kind: MessageContent['kind']
    content: Json<MessageContent>
    revision: number
    created_at: Date
  }
  automations: {
    id: string
    organization_id: string
    name: string
    instructions: string
    agent: AgentKind
    enabled: boolean
    strict: Generated<boolean>
    schedule_cron: string | null
    schedule_time_zone: string | null
    next_due_at: Date | null
    condition: Json<Condition> | null
    watched_reference_id: string | null
    unjudged_run_id: string | null
    condition_state: Json<ConditionState> | null
    alert_state: ColumnType<AlertState | null, string | null | undefined, string | null>
    alert_number: Generated<number>
    snoozed_until: Generated<Date | null>
    announce_at: Generated<Date | null>
    created_by: string
    created_at: Date
    updated_at: Date
    deleted_at: Date | null
    created_xid: Generated<string | null>
    revision: Generated<number>
  }
  automation_history: {
    subject_id: string
    part: 'settings' | 'state' | 'run' | 'removed run'
    number: number
    automation_id: string
    former: Json<object>
    replaced_xid: Generated<string>
    replaced_at: Date
  }
  alert_changes: {
    automation_id: string
    number: number
    organization_id: string
    at: Date
    status: AlertStatus
    severity: Severity | null
    finding: string
    run_id: string | null
    rows: NullableJson<AlertRows>
    announced_by: number | null
    quiet_because: 'snoozed' | 'muted' | null
  }
  alert_messages: {
    automation_id: string
    number: number
    organization_id: string
    kind: AlertMessageKind
    severity: Severity
    finding: string
    at: Date
    event_id: string | null
  }
  result_measures: {
    reference_id: string
    measure: string
    run_id: string
    organization_id: string
    at: Date
    value: string | null
    fault: string | null
  }
  automation_references: { automation_id: string; position: number; reference_id: string }
  agent_runs: {
    id: string
    organization_id: string
    automation_id: string | null
    chat_id: string
    agent: AgentKind
    status: RunStatus
    trigger: AgentRunTrigger
    trigger_id: string
    user_id: string
    instructions: string
    requested_at: Date
    due_at: Date | null
    missed_count: Generated<number>
    started_at: Date | null
    ended_at: Date | null
    summary: string | null
    failure_reason: string | null
    event_id: string | null
    attempt_count: Generated<number>
    lease_number: Generated<number>
    lease_owner: string | null
    lease_expires_at: Date | null
    stop_requested_by: string | null
    usage: Json<ModelUsage> | null
    traceparent: string | null
  }
  automation_observations: {
    automation_id: string
    reference_id: string
    agent_run_id: string
    content: Json<Observation>
  }
  model_settings: {
    organization_id: string
    provider: ModelProvider
    base_url: string
    model: string
    api_key: Uint8Array | null
    updated_by: string
    updated_at: Date
  }
  model_usage: {
    organization_id: string
    day: Date
    user_id: string
    source_id: string
    model: string
    input_tokens: number
    output_tokens: number
    request_count: number
  }
  cost_usage: { organization_id: string; day: Date; person_id: string; bytes: number }
  model_budgets: {
    organization_id: string
    currency: string | null
    limits: Json<ModelLimit[]>
    updated_by: string
    updated_at: Date
  }
  model_prices: { organization_id: string; model: string; from_day: Date; input_price: string; output_price: string }
  favorites: { organization_id: string; user_id: string; kind: ItemKind; item_id: string; created_at: Date }
  recent_views: { organization_id: string; user_id: string; kind: ItemKind; item_id: string; viewed_at: Date }
  comment_threads: {
    id: string
    organization_id: string
    kind: ItemKind
    item_id: string
    tile_id: string | null
    point: NullableJson<DataPoint>
    created_at: Date
    resolved_at: Generated<Date | null>
    resolved_by: Generated<string | null>
  }
  comments: {
    id: string
    thread_id: string
    organization_id: string
    text: string
    created_by: string
    created_at: Date
    edited_at: Generated<Date | null>
  }
  comment_mentions: { comment_id: string; user_id: string }
  item_tags: { organization_id: string; kind: ItemKind; item_id: string; tag: string; key: string }
  sample_shops: {
    organization_id: string
    database_id: string
    first_start_on: ColumnType<Date, string, never>
    last_day: ColumnType<Date, string, string>
  }
  question_sets: {
    id: string
    organization_id: string
    name: string
    questions: Json<TestQuestion[]>
    schedule_cron: string | null
    schedule_time_zone: string | null
    next_due_at: Date | null
    created_by: string
    created_at: Date
    updated_at: Date
  }
  evaluations: {
    id: string
    organization_id: string
    question_set_id: string
    label: string | null
    model: string
    trigger: EvaluationTrigger
    trigger_id: string
    user_id: string
    requested_at: Date
    ended_at: Generated<Date | null>
    proposal: NullableJson<KnowledgeProposal>
    baseline_id: Generated<string | null>
  }
  evaluation_answers: {
    evaluation_id: string
    position: number
    question: Json<TestQuestion>
    status: AnswerStatus
    agent_run_id: Generated<string | null>
    chat_short_id: Generated<string | null>
    run_id: Generated<string | null>
    explanation: Generated<string | null>
    ended_at: Generated<Date | null>
  }
  data_connectors: {
    id: string
    organization_id: string
    name: string
    url: string
    header_names: string[]
    headers: Uint8Array | null
    enabled: boolean
    created_by: string
    created_at: Date
    updated_at: Date
  }
  audit_log: {
    id: string
    organization_id: string
    occurred_at: Date
    action: AuditAction
    actor_kind: ActorKind
    actor_id: string | null
    actor_name: string | null
    user_id: string | null
    user_name: string | null
    user_email: string | null
    subject_type: SubjectType
    subject_id: string | null
    subject_name: string | null
    details: Json<AuditDetails>
    address: string | null
    request_id: string | null
  }
  audit_tallies: {
    organization_id: string
    action: AuditAction
    actor: string
    hour: Date
    record_id: string
    action_count: number
    last_at: Date
  }
  knowledge_items: {
    id: string
    organization_id: string
    kind: KnowledgeKind
    subject: string
    version: number
    content: NullableJson<KnowledgeContent>
    words: string | null
    changed_by: string
    changed_at: Date
  }
  knowledge_versions: {
    id: string
    organization_id: string
    item_id: string
    number: number
    content: NullableJson<KnowledgeContent>
    restored_number: number | null
    changed_by: string
    changed_at: Date
  }
  knowledge_suggestions: {
    id: string
    organization_id: string
    text: string
    target: Json<SuggestionTarget>
    chat_short_id: string | null
    message_number: number | null
    state: SuggestionState
    suggested_by: string
    suggested_at: Date
    decided_by: string | null
    decided_at: Date | null
  }
  catalogs: {
    analytical_database_config_id: string
    organization_id: string
    refreshed_at: Date | null
    claimed_at: Date | null
  }
  catalog_tables: {
    analytical_database_config_id: string
    schema_name: string
    table_name: string
    organization_id: string
    kind: 'table' | 'view'
    row_estimate: number | null
    comment: string | null
    columns: Json<CatalogColumn[]>
    column_count: number
    hash: string
    words: string
  }
  folders: {
    id: string
    organization_id: string
    name: string
    parent_id: string | null
    version: number
    created_by: string
    created_at: Date
    updated_at: Date
    deleted_at: Generated<Date | null>
  }
  folder_versions: {
    folder_id: string
    number: number
    name: string
    parent_id: string | null
    is_deletion: Generated<boolean>
    changed_at: Date
    version_xid: Generated<string>
  }
  boards: {
    id: string
    organization_id: string
    short_id: string
    folder_id: string | null
    version: number
    title: string
    description: string | null
    content: Json<StoredBoardContent>
    created_by: string
    created_at: Date
    updated_at: Date
    deleted_at: Generated<Date | null>
  }
  board_versions: {
    board_id: string
    number: number
    folder_id: string | null
    title: string
    description: string | null
    content: Json<StoredBoardContent>
    restored_number: number | null
    is_deletion: Generated<boolean>
    changed_by: string
    changed_at: Date
    version_xid: Generated<string>
  }
  query_reference_versions: {
    reference_id: string
    number: number
    title: string
    description: string | null
    is_optimistic: boolean
    query_id: string
    visualization: Json<Visualization> | null
    parameters: Json<ParameterDefinition[]>
    folder_id: string | null
    restored_number: number | null
    changed_by: string | null
    changed_at: Date
  }
  deleted_items: {
    id: Generated<string>
    organization_id: string
    kind: ItemKind
    item_id: string
    deleted_by: string | null
    deleted_at: Date
    deleted_xid: Generated<string>
    left_at: Date | null
    left_xid: string | null
    is_removed: Generated<boolean>
  }
  board_images: {
    id: string
    organization_id: string
    content_type: ImageContentType
    content: string
    created_by: string
    created_at: Date
  }
  waiting_runs: {
    id: string
    organization_id: string
    query_id: string
    trigger_id: string
    parameter_values: Json<ParameterValues>
    parameter_types: Json<Record<string, ParameterType>>
    rendered_sql: string
    requested_at: Date
    row_bindings: Generated<string | null>
  }
  waiting_bound_runs: {
    id: string
    organization_id: string
    query_id: string
    trigger_id: string
    parameter_values: Json<ParameterValues>
    parameter_types: Json<Record<string, ParameterType>>
    rendered_sql: string
    requested_at: Date
    row_bindings: string
  }
  run_inputs: {
    run_id: string
    position: number
    organization_id: string
    reference_id: string
    parameter_values: Json<ParameterValues>
    input_run_id: string
    status: RunInputStatus
    result_hash: string | null
  }
  public_links: {
    id: string
    organization_id: string
    kind: ItemKind
    short_id: string
    token_hash: Uint8Array
    sealed_token: Uint8Array
    password_hash: string | null
    options: Json<ViewerOptions>
    expires_at: Date | null
    created_by: string
    created_at: Date
    view_count: Generated<number>
    last_viewed_at: Generated<Date | null>
  }
  embed_secrets: {
    id: string
    organization_id: string
    name: string
    sealed_secret: Uint8Array
    created_by: string
    created_at: Date
    last_used_at: Generated<Date | null>
    expires_at: Generated<Date | null>
  }
  viewer_runs: { viewer_id: string; run_id: string; requested_at: Date }
  channels: {
    id: string
    organization_id: string
    kind: ChannelKind
    name: string
    settings: Json<ChannelSettings>
    sealed_secret: Uint8Array | null
    state: Generated<Channel['state']>
    disabled_reason: Generated<string | null>
    failure_count: Generated<number>
    last_used_at: Generated<Date | null>
    created_by: string
    created_at: Date
    updated_at: Date
  }
  reports: {
    id: string
    organization_id: string
    automation_id: string
    content: Json<ReportContent>
    target: Json<ReportTarget>
    channel_id: string | null
    sent_when: ReportWhen
    minimum_severity: Generated<Severity | null>
    recipient_values: NullableJson<ReportValues>
    attachments: Json<AttachmentKind[]>
    is_enabled: boolean
    created_by: string
    created_at: Date
    updated_at: Date
    deleted_at: Generated<Date | null>
  }
  report_jobs: {
    id: string
    organization_id: string
    report_id: string
    agent_run_id: string | null
    requested_by: string | null
    is_for_requester: Generated<boolean>
    is_notable: boolean
    is_condition_met: boolean
    alert_number: Generated<number | null>
    results_since: Date
    requested_at: Date
    traceparent: Generated<string | null>
    state: Generated<'due' | 'prepared' | 'skipped' | 'failed'>
    reason: Generated<string | null>
    attempt_count: Generated<number>
    lease_number: Generated<number>
    next_attempt_at: Date | null
    ended_at: Generated<Date | null>
  }
  report_contents: { id: string; organization_id: string; document: Json<ReportDocument>; created_at: Date }
  report_files: {
    content_id: string
    position: number
    image_id: string | null
    file_name: string
    content_type: string
    content: string
  }
  report_downloads: {
    content_id: string
    position: number
    file_name: string
    content_type: string
    size_bytes: number | null
    source: NullableJson<ResultFileSource>
    content: string | null
    expires_at: Date
  }
  report_deliveries: {
    id: string
    organization_id: string
    report_id: string
    job_id: string | null
    agent_run_id: string | null
    purpose: ReportDeliveryPurpose
    recipient: string
    user_id: string | null
    channel_id: string | null
    recipient_values: NullableJson<RecipientValues>
    content_id: string
    state: ReportDeliveryState
    drop_reason: Generated<DropReason | null>
    attempts: ColumnType<ReportAttempt[], string | undefined, string>
    attempt_count: Generated<number>
    lease_number: Generated<number>
    recorded_lease: Generated<number>
    resend_count: Generated<number>
    traceparent: Generated<string | null>
    next_attempt_at: Date | null
    created_at: Date
    ended_at: Generated<Date | null>
  }
  report_addresses: {
    organization_id: string
    email: string
    state: Generated<AddressState>
    requested_by: string
    requested_at: Date
    confirmed_at: Generated<Date | null>
  }
  report_unsubscriptions: { report_id: string; email: string; unsubscribed_at: Date }
  slack_questions: {
    id: string
    organization_id: string
    channel_id: string
    event_id: string
    slack_user_id: string
    conversation: string
    thread_ts: string
    is_shared: boolean
    question: string
    state: Generated<SlackQuestionState>
    reason: Generated<string | null>
    chat_id: Generated<string | null>
    chat_short_id: Generated<string | null>
    question_number: Generated<number | null>
    reply_ts: Generated<string | null>
    told_steps: Generated<number>
    attempt_count: Generated<number>
    lease_number: Generated<number>
    recorded_lease: Generated<number>
    next_attempt_at: Date | null
    received_at: Date
    ended_at: Generated<Date | null>
  }
  slack_connections: {
    channel_id: string
    organization_id: string
    last_event_at: Generated<Date | null>
    last_rejected_at: Generated<Date | null>
    last_foreign_at: Generated<Date | null>
  }
  sweep_walks: { kind: string; after_id: Generated<string | null>; finished_at: Generated<Date | null> }
  key_use: {
    organization_id: string
    key_id: string
    hour: Date
    route: string
    key_name: string
    user_id: string
    request_count: number
    refused_count: number
    failed_count: number
    first_at: Date
    last_at: Date
    last_status: number
    last_address: string | null
  }
}

/** A jsonb column: read as a value, written as JSON text, because drivers would turn arrays into PostgreSQL arrays. */
type Json<Value> = ColumnType<Value, string, string>
type NullableJson<Value> = ColumnType<Value | null, string | null, string | null>

type StoredBoardContent = Pick<BoardContent, 'parameters' | 'tabs' | 'tiles'>
