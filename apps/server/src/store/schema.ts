import type { ColumnType, Generated, GeneratedAlways } from 'kysely'
import type { ParameterDefinition, ParameterType, ParameterValues } from '../domain/parameters/parameter.ts'
import type { NotificationKind } from '../domain/notifications/notification.ts'
import type { Visualization } from '../domain/references/visualization.ts'
import type { Attempt, DeliveryState } from '../domain/webhooks/delivery/delivery.ts'
import type { EndpointState } from '../domain/webhooks/endpoints/endpoint.ts'
import type { EventType } from '../domain/webhooks/events/event.ts'

/** The service's own tables as TypeScript sees them; `migrations/` is their truth and says what each column is for. */
export interface Schema {
  organizations: { id: string; name: string; created_at: Date; webhooks_enabled: Generated<boolean> }
  users: { id: string; email: string; name: string; password_hash: string; created_at: Date }
  memberships: { organization_id: string; user_id: string; role: Role; created_at: Date }
  sessions: {
    token_hash: Uint8Array
    user_id: string
    organization_id: string
    created_at: Date
    expires_at: Date
  }
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
  }
  analytical_database_configs: {
    id: string
    organization_id: string
    name: string
    engine: 'duckdb'
    settings: Json<{ file: string }>
    created_by: string
    created_at: Date
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
  runs: {
    id: string
    organization_id: string
    query_id: string
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
    row_count: number | null
    result_size_bytes: number | null
    result_hash: string | null
    result_removed_at: Date | null
    lease_owner: string | null
    lease_expires_at: Date | null
    stop_requested_by: string | null
    created_xid: Generated<string>
    started_xid: string | null
    ended_xid: string | null
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
    created_by: string
    created_at: Date
    updated_at: Date
    deleted_at: Date | null
  }
  webhook_events: { id: string; organization_id: string; type: EventType; created_at: Date; body: string }
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
  }
}

export type Role = 'admin' | 'member'
export type RunStatus = 'pending' | 'running' | 'completed' | 'failed'

/** A jsonb column: read as the value, written as its JSON text, since drivers would turn arrays into PostgreSQL arrays. */
type Json<Value> = ColumnType<Value, string, string>
