// Made from the schemas of the pages’ routes by `npm run types`; a test keeps it so. Not for editing.

export const actorKinds = ['user', 'key', 'agent', 'service', 'operator', 'anonymous'] as const

export const addressStates = ['unconfirmed', 'confirmed', 'bounced'] as const

export const agentKinds = ['digest', 'model'] as const

export const agentRunTriggers = ['schedule', 'condition', 'person', 'api', 'question', 'evaluation'] as const

export const aggregates = ['first', 'last', 'min', 'max', 'sum'] as const

export const alertComparisons = ['>', '>=', '<', '<='] as const

export const alertStatuses = ['ok', 'firing', 'resolved', 'no_data', 'failing'] as const

export const alertTestKinds = ['threshold', 'change', 'new_rows', 'no_rows', 'stale', 'unusual'] as const

export const answerChanges = ['improved', 'regressed', 'same', 'added', 'removed'] as const

export const answerStatuses = ['waiting', 'running', 'correct', 'wrong', 'failed', 'stopped'] as const

export const apiKeyScopes = ['read', 'read:queries', 'read:boards', 'read:folders', 'read:databases', 'read:automations', 'read:chats', 'read:knowledge', 'read:question-sets', 'read:webhooks', 'read:project', 'run', 'run:queries', 'run:boards', 'run:automations', 'run:chats', 'run:question-sets', 'run:webhooks', 'write', 'write:queries', 'write:boards', 'write:folders', 'write:automations', 'write:project', 'admin', 'admin:webhooks', 'admin:knowledge', 'admin:question-sets'] as const

export const attachmentKinds = ['csv', 'xlsx', 'png', 'pdf'] as const

export const auditActionNames = ['session.started', 'session.failed', 'session.ended', 'password.changed', 'password.reset_requested', 'password.reset', 'second_factor.turned_on', 'second_factor.turned_off', 'second_factor.recovery_codes_replaced', 'second_factor.recovery_code_used', 'second_factor.reset', 'account.changed', 'member.joined', 'member.role_changed', 'member.groups_changed', 'member.attributes_changed', 'member.view_started', 'member.view_ended', 'member.removed', 'member.left', 'invitation.created', 'invitation.withdrawn', 'api_key.created', 'api_key.changed', 'api_key.revoked', 'organization.created', 'organization.changed', 'organization.managed_items_changed', 'database.created', 'database.changed', 'database.tested', 'database.table_imported', 'database.table_renamed', 'database.table_deleted', 'database.deleted', 'database.access_changed', 'database.row_rules_changed', 'query.created', 'reference.created', 'reference.changed', 'reference.deleted', 'reference.restored', 'reference.removed', 'reference.verified', 'reference.unverified', 'result.pinned', 'result.unpinned', 'result_history.changed', 'change_feed.changed', 'board.created', 'board.changed', 'board.restored', 'board.deleted', 'board.removed', 'board_image.created', 'folder.created', 'folder.changed', 'folder.deleted', 'folder.access_changed', 'group.created', 'group.changed', 'group.deleted', 'comment.deleted', 'public_link.created', 'public_link.changed', 'public_link.revoked', 'embedding.origins_changed', 'embed_secret.created', 'embed_secret.rotated', 'embed_secret.revoked', 'git_repository.added', 'git_repository.secret_rotated', 'git_repository.removed', 'webhook_endpoint.created', 'webhook_endpoint.changed', 'webhook_endpoint.enabled', 'webhook_endpoint.disabled', 'webhook_endpoint.deleted', 'webhook_endpoint.secret_shown', 'webhook_endpoint.secret_rotated', 'webhook_endpoint.secret_activated', 'webhook_endpoint.secret_cancelled', 'webhook_endpoint.test_sent', 'webhook_endpoint.held_sent', 'webhook_endpoint.replayed', 'delivery.resent', 'automation.created', 'automation.changed', 'automation.enabled', 'automation.disabled', 'automation.snoozed', 'automation.deleted', 'channel.created', 'channel.changed', 'channel.enabled', 'channel.disabled', 'channel.deleted', 'channel.test_sent', 'report.created', 'report.changed', 'report.deleted', 'report.test_sent', 'report.confirmation_sent', 'report.address_confirmed', 'report.unsubscribed', 'report.resubscribed', 'report.resent', 'chat.renamed', 'chat.deleted', 'model_settings.changed', 'model_settings.deleted', 'model_budget.changed', 'question_set.created', 'question_set.changed', 'question_set.deleted', 'data_connector.created', 'data_connector.changed', 'data_connector.deleted', 'knowledge.tried', 'knowledge.changed', 'knowledge.deleted', 'knowledge.restored', 'knowledge.dbt_imported', 'knowledge.dbt_deleted', 'knowledge.suggested', 'knowledge.suggestion_accepted', 'knowledge.suggestion_declined', 'audit_log.exported'] as const

export const auditExportFormats = ['csv', 'jsonl'] as const

export const changeDirections = ['either', 'up', 'down'] as const

export const changeUnits = ['percent', 'absolute'] as const

export const channelKinds = ['slack_webhook', 'slack_bot', 'teams', 'webhook'] as const

export const channelStates = ['enabled', 'disabled'] as const

export const columnTypes = ['text', 'integer', 'number', 'boolean', 'date', 'timestamp'] as const

export const comparedPeriods = ['previous', 'day', 'week', 'month'] as const

export const comparisons = ['>', '>=', '<', '<=', '=', '!='] as const

export const databaseLevels = ['none', 'query', 'manage'] as const

export const dateOrders = ['ymd', 'dmy', 'mdy'] as const

export const deliveryStates = ['pending', 'delivered', 'exhausted', 'held'] as const

export const downloadFormats = ['json', 'jsonl', 'csv', 'xlsx', 'parquet', 'arrow'] as const

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'iso-8859-15'] as const

export const endpointStates = ['enabled', 'disabled'] as const

export const errorCodes = ['alert_not_set_up', 'api_key_not_found', 'attribute_missing', 'automation_already_running', 'automation_not_found', 'automation_run_not_found', 'automation_without_model', 'board_image_not_found', 'board_not_found', 'body_too_large', 'change_not_found', 'change_rows_expired', 'changes_expired', 'changes_not_published', 'channel_in_use', 'channel_not_found', 'channel_not_slack', 'channel_test_failed', 'chat_already_answering', 'chat_not_found', 'chat_of_automation', 'comment_not_found', 'comment_thread_not_found', 'cost_limit_exceeded', 'count_changed', 'cursor_expired', 'cursor_invalid', 'data_connector_not_found', 'database_in_use', 'database_not_found', 'database_unreachable', 'dbt_artifact_invalid', 'delivery_not_found', 'embed_origin_not_allowed', 'embed_secret_not_found', 'embed_token_expired', 'embed_token_invalid', 'endpoint_disabled', 'endpoint_not_found', 'evaluation_already_ended', 'evaluation_already_running', 'evaluation_not_found', 'event_expired', 'file_mismatch', 'file_unreadable', 'folder_name_taken', 'folder_not_empty', 'folder_not_found', 'forbidden', 'git_repository_not_found', 'group_name_taken', 'group_not_found', 'history_fill_not_needed', 'history_fill_not_possible', 'history_fill_running', 'idempotency_key_reused', 'internal_error', 'invalid_request', 'invitation_not_found', 'key_not_unique', 'knowledge_changed', 'knowledge_not_found', 'last_admin', 'link_not_valid', 'managed_by_files', 'measure_invalid', 'member_not_found', 'message_not_found', 'method_not_allowed', 'model_backtest_running', 'model_budget_exhausted', 'model_not_configured', 'next_secret_missing', 'organization_changed', 'organization_not_found', 'parameter_invalid', 'parameter_missing', 'project_conflict', 'proof_not_found', 'public_link_not_found', 'public_link_password_required', 'public_link_password_wrong', 'push_outdated', 'query_already_running', 'query_not_found', 'question_set_name_taken', 'question_set_not_found', 'ref_invalid', 'reference_in_use', 'reference_not_found', 'report_address_not_found', 'report_delivery_not_found', 'report_not_found', 'request_timeout', 'result_damaged', 'result_expired', 'result_not_available', 'result_not_kept', 'route_not_found', 'route_retired', 'row_rules_apply', 'run_already_ended', 'run_not_found', 'scope_missing', 'second_factor_required', 'secret_unreadable', 'session_not_found', 'signature_invalid', 'sso_required', 'store_unavailable', 'table_exists', 'table_not_found', 'table_unreadable', 'too_many_pinned', 'too_many_requests', 'unauthenticated', 'version_conflict', 'viewing_as_member'] as const

export const evaluationTriggers = ['person', 'api', 'schedule'] as const

export const eventTypes = ['automation.run.completed', 'automation.run.failed', 'query.run.completed', 'query.run.failed', 'board.report.sent', 'automation.alert.fired', 'automation.alert.resolved', 'reference.changed'] as const

export const feedProblems = ['key_not_unique', 'key_column_missing', 'comparison_failed', 'result_not_kept'] as const

export const fieldTypes = ['integer', 'number', 'decimal', 'string', 'boolean', 'date', 'timestamp', 'json'] as const

export const fileEngines = ['duckdb', 'sqlite'] as const

export const fileFormats = ['csv', 'jsonl', 'json', 'parquet', 'xlsx'] as const

export const folderLevels = ['none', 'view', 'edit'] as const

export const foundKinds = ['board', 'query', 'automation', 'chat', 'table', 'column'] as const

export const historyFillStates = ['due', 'completed', 'stopped', 'failed'] as const

export const itemKinds = ['reference', 'board'] as const

export const knowledgeKinds = ['instructions', 'metric', 'table', 'verified_query'] as const

export const limitPeriods = ['day', 'month'] as const

export const limitScopes = ['organization', 'person'] as const

export const limitUnits = ['tokens', 'money'] as const

export const modelProviders = ['openai_compatible', 'anthropic'] as const

export const modelUseSourceKinds = ['automation', 'chats', 'evaluations'] as const

export const notificationKinds = ['endpoint_failing', 'endpoint_disabled', 'run_failed', 'sign_ins_failing', 'comment_mention', 'comment_reply', 'channel_disabled', 'report_failed', 'address_bounced', 'alert_fired'] as const

export const quietReasons = ['snoozed', 'muted'] as const

export const referenceParts = ['title', 'description', 'sql', 'visualization', 'parameters', 'folder'] as const

export const replayStates = ['exhausted', 'delivered'] as const

export const reportDeliveryPurposes = ['report', 'test', 'confirmation'] as const

export const reportDeliveryStates = ['due', 'sent', 'failed', 'dropped'] as const

export const reportWhens = ['always', 'notable', 'condition', 'alert'] as const

export const roles = ['admin', 'member'] as const

export const rowRuleKinds = ['parameter', 'setting', 'role', 'user'] as const

export const runStatuses = ['pending', 'running', 'completed', 'failed'] as const

export const seriesPeriods = ['day', 'week'] as const

export const serverEngines = ['postgres', 'mysql', 'clickhouse', 'bigquery', 'trino', 'snowflake', 'redshift'] as const

export const severitys = ['info', 'warning', 'critical'] as const

export const signInSteps = ['code', 'set_up'] as const

export const subjectTypes = ['user', 'session', 'invitation', 'api_key', 'organization', 'database', 'query', 'reference', 'board', 'board_image', 'folder', 'group', 'comment', 'public_link', 'embed_secret', 'git_repository', 'webhook_endpoint', 'delivery', 'automation', 'channel', 'report', 'report_address', 'report_delivery', 'chat', 'model_settings', 'model_budget', 'question_set', 'data_connector', 'knowledge', 'suggestion', 'audit_log'] as const

export const suggestionStates = ['open', 'accepted', 'declined'] as const

export const tileKinds = ['reference', 'text', 'heading', 'image'] as const

export const tileStates = ['ready', 'running', 'missing', 'failed', 'expired'] as const

export const tlsModes = ['off', 'encrypted', 'verified'] as const

export const viewerDownloads = ['csv', 'xlsx', 'png'] as const

export const visualizationTypes = ['table', 'number', 'line', 'bar', 'area', 'scatter', 'pie', 'combo', 'pivot', 'heatmap', 'funnel', 'histogram', 'map'] as const
