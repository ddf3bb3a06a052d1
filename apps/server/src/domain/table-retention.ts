import type { SweptKind } from './sweep-step.ts'

/**
 * What limits the size of each table of the store. A test fails for a table that is not listed.
 *
 * - *swept*: rows are removed after a time, by a sweep.
 * - *with*: rows go when the row of another table goes that they belong to.
 * - *bounded*: there are at most so many.
 * - *forever*: people or the audit log refer to them; they are as many as people create.
 */
export type TableRetention =
  | { kept: 'swept'; by: SweptKind }
  | { kept: 'with'; table: string }
  | { kept: 'bounded'; why: string }
  | { kept: 'forever'; why: string }

const swept = (by: SweptKind): TableRetention => ({ kept: 'swept', by })
const goesWith = (table: string): TableRetention => ({ kept: 'with', table })
const bounded = (why: string): TableRetention => ({ kept: 'bounded', why })
const forever = (why: string): TableRetention => ({ kept: 'forever', why })

const createdByPeople = forever('people create and delete them')
const onePerOrganization = bounded('one row per organization')

export const tableRetention: Record<string, TableRetention> = {
  agent_runs: swept('chats'),
  alert_changes: swept('alert_history'),
  alert_messages: swept('alert_history'),
  analytical_database_configs: createdByPeople,
  api_budgets: swept('api_budgets'),
  api_keys: forever('runs and audit records name revoked keys too'),
  archive_jobs: swept('archive_jobs'),
  archive_objects: swept('archive_bytes'),
  archive_pieces: goesWith('archive_objects'),
  archived_results: swept('former_kept_results'),
  audit_log: swept('audit_records'),
  audit_tallies: swept('audit_records'),
  automation_observations: bounded('one row per query of an automation'),
  automation_references: goesWith('automations'),
  automations: createdByPeople,
  board_images: swept('board_images'),
  board_versions: goesWith('boards'),
  boards: swept('boards'),
  catalog_tables: goesWith('catalogs'),
  catalogs: bounded('one row per database'),
  change_feed_results: bounded('removed when the feed has looked at them'),
  change_feeds: goesWith('query_references'),
  channels: bounded('at most 100 per organization'),
  chat_feedback: goesWith('chats'),
  chat_history: swept('chat_versions'),
  chat_messages: goesWith('chats'),
  chats: swept('chats'),
  comment_mentions: goesWith('comments'),
  comment_threads: createdByPeople,
  comments: createdByPeople,
  cost_usage: swept('cost_usage'),
  data_connectors: createdByPeople,
  database_grants: goesWith('analytical_database_configs'),
  dbt_imports: bounded('one row per database'),
  dbt_tables: goesWith('dbt_imports'),
  deleted_items: swept('restored_items'),
  embed_secrets: createdByPeople,
  evaluation_answers: goesWith('evaluations'),
  evaluations: swept('evaluations'),
  event_listeners: bounded('removed when nobody listens any more'),
  favorites: createdByPeople,
  filled_results: goesWith('query_references'),
  folder_grants: goesWith('folders'),
  folder_versions: goesWith('folders'),
  folders: swept('folders'),
  group_members: goesWith('groups'),
  groups: createdByPeople,
  history_fills: goesWith('query_references'),
  idempotent_answers: swept('idempotent_answers'),
  invitations: swept('links'),
  item_tags: createdByPeople,
  kept_lists: swept('kept_lists'),
  key_use: swept('key_use'),
  knowledge_items: createdByPeople,
  knowledge_suggestions: forever('what people decided about suggestions, so that none is made again'),
  knowledge_versions: goesWith('knowledge_items'),
  memberships: createdByPeople,
  model_backtest_turns: onePerOrganization,
  model_budgets: onePerOrganization,
  model_prices: bounded('one row per model of an organization'),
  model_settings: onePerOrganization,
  model_usage: swept('model_usage'),
  notifications: swept('notifications'),
  oidc_identities: goesWith('users'),
  organizations: createdByPeople,
  person_links: swept('links'),
  present_workers: bounded('one row per running worker'),
  public_links: createdByPeople,
  queries: swept('queries_purged'),
  query_reference_history: swept('reference_versions'),
  query_reference_search: goesWith('query_references'),
  query_reference_versions: goesWith('query_references'),
  query_references: swept('references'),
  question_sets: createdByPeople,
  recent_views: bounded('the latest views of each person'),
  recovery_codes: goesWith('second_factors'),
  reference_changes: swept('reference_changes'),
  reference_history_settings: goesWith('query_references'),
  report_addresses: createdByPeople,
  report_contents: swept('report_contents'),
  report_deliveries: swept('report_deliveries'),
  report_downloads: swept('report_downloads'),
  report_files: goesWith('report_contents'),
  report_jobs: swept('report_jobs'),
  report_unsubscriptions: goesWith('reports'),
  reports: swept('reports'),
  result_history_settings: onePerOrganization,
  result_measures: swept('result_measures'),
  result_pieces: goesWith('results'),
  result_pins: goesWith('query_references'),
  results: swept('result_bytes'),
  run_inputs: goesWith('runs'),
  runs: swept('runs'),
  sample_shops: onePerOrganization,
  schema_migrations: bounded('one row per migration'),
  second_factors: bounded('one row per person'),
  sessions: swept('sessions'),
  sign_in_budgets: swept('sign_in_budgets'),
  slack_connections: goesWith('channels'),
  slack_questions: swept('slack_questions'),
  sweep_walks: bounded('one row per kind of sweep'),
  users: forever('runs and audit records name former members'),
  viewer_runs: bounded('the last day of each public link and embedding secret'),
  waiting_runs: bounded('at most one row per query'),
  webhook_deliveries: swept('webhook_deliveries'),
  webhook_endpoints: swept('webhook_endpoints'),
  webhook_events: swept('webhook_events'),
}
