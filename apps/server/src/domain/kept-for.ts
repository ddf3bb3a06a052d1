import type { SweptKind } from './sweep-step.ts'
import type { TableRetention } from './table-retention.ts'

/**
 * How long swept rows are kept: the name of a setting, or words if it is fixed. `docs/retention.md` has the exceptions, such as the newest
 * rows of each query.
 */
export const keptFor: Record<SweptKind, RetentionSetting | FixedTime> = {
  results: 'RESULT_TTL_HOURS',
  result_bytes: 'RESULT_TTL_HOURS',
  kept_results: 'as each organization chose',
  archive_objects: 'as each organization chose',
  archive_bytes: 'as each organization chose',
  former_kept_results: 'as each organization chose',
  archive_jobs: '8 days',
  reference_changes: '400 days',
  chats: 'CHAT_DAYS',
  queries_expired: 'UNSAVED_QUERY_DAYS',
  queries_purged: 'UNSAVED_QUERY_DAYS',
  runs: 'RUN_DAYS',
  cost_usage: '2 days',
  model_usage: 'CHAT_DAYS',
  evaluations: 'CHAT_DAYS',
  alert_history: 'ALERT_HISTORY_DAYS',
  board_images: 'UNUSED_IMAGE_DAYS',
  reference_versions: '8 days',
  chat_versions: '8 days',
  references: '30 days in the trash',
  boards: '30 days in the trash',
  restored_items: '30 days in the trash',
  folders: '30 days in the trash',
  sessions: '30 days',
  links: '30 days after they expire',
  sign_in_budgets: '30 minutes',
  api_budgets: 'minutes',
  kept_lists: '7 days',
  idempotent_answers: '24 hours',
  webhook_deliveries: '32 days',
  webhook_endpoints: 'until their log is gone',
  webhook_events: '64 days',
  notifications: '90 days',
  result_measures: '400 days',
  report_deliveries: '90 days',
  report_jobs: '90 days',
  report_contents: '90 days',
  report_downloads: '7 days',
  reports: '90 days after they are deleted',
  slack_questions: '90 days',
  audit_records: 'AUDIT_LOG_DAYS',
  key_use: 'AUDIT_LOG_DAYS',
}

export type RetentionSetting =
  | 'RESULT_TTL_HOURS'
  | 'UNSAVED_QUERY_DAYS'
  | 'RUN_DAYS'
  | 'CHAT_DAYS'
  | 'ALERT_HISTORY_DAYS'
  | 'UNUSED_IMAGE_DAYS'
  | 'AUDIT_LOG_DAYS'

/** In words, in lower case. */
type FixedTime = Lowercase<string>

/** What limits a table, with the value of the setting: `RUN_DAYS=90`. */
export function describeRetention(retention: TableRetention, settings: Record<RetentionSetting, number>): string {
  switch (retention.kept) {
    case 'swept': {
      const time = keptFor[retention.by]
      return isSetting(time, settings) ? `${time}=${settings[time]}` : time
    }
    case 'with':
      return `with ${retention.table}`
    case 'bounded':
    case 'forever':
      return `${retention.kept}: ${retention.why}`
  }
}

const isSetting = (time: string, settings: object): time is RetentionSetting => time in settings
