import { deletedItemKeptMs } from '../model/item.ts'
import { keptMs } from '../model/kept-times.ts'
import { reportLimits } from '../model/report.ts'
import type { SweptKind } from './sweep-step.ts'
import type { TableRetention } from './table-retention.ts'

const hourMs = 3600_000
const dayMs = 24 * hourMs

/** In days, or in hours if they are fewer than 48. */
const keptInWords = (ms: number): `${number} ${'days' | 'hours'}` => (ms >= 2 * dayMs ? `${ms / dayMs} days` : `${ms / hourMs} hours`)

const inTrash = `${keptInWords(deletedItemKeptMs)} in the trash` as const

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
  archive_jobs: keptInWords(keptMs.pastVersions),
  reference_changes: keptInWords(keptMs.referenceChanges),
  chats: 'CHAT_DAYS',
  queries_expired: 'UNSAVED_QUERY_DAYS',
  queries_purged: 'UNSAVED_QUERY_DAYS',
  runs: 'RUN_DAYS',
  cost_usage: keptInWords(keptMs.costUsage),
  model_usage: 'CHAT_DAYS',
  evaluations: 'CHAT_DAYS',
  alert_history: 'ALERT_HISTORY_DAYS',
  board_images: 'UNUSED_IMAGE_DAYS',
  reference_versions: keptInWords(keptMs.pastVersions),
  chat_versions: keptInWords(keptMs.pastVersions),
  automation_versions: keptInWords(keptMs.pastVersions),
  references: inTrash,
  boards: inTrash,
  restored_items: inTrash,
  folders: inTrash,
  sessions: keptInWords(keptMs.sessions),
  links: `${keptInWords(keptMs.links)} after they expire`,
  sign_in_budgets: '30 minutes',
  api_budgets: 'minutes',
  kept_lists: keptInWords(keptMs.sequences),
  idempotent_answers: keptInWords(keptMs.idempotentAnswers),
  webhook_deliveries: keptInWords(keptMs.webhookDeliveries),
  webhook_endpoints: 'until their log is gone',
  webhook_events: keptInWords(keptMs.webhookEvents),
  notifications: keptInWords(keptMs.notifications),
  result_measures: keptInWords(keptMs.resultMeasures),
  report_deliveries: keptInWords(keptMs.reportDeliveries),
  report_jobs: keptInWords(keptMs.reportDeliveries),
  report_contents: keptInWords(keptMs.reportDeliveries),
  report_downloads: keptInWords(reportLimits.linkLifetimeMs),
  reports: `${keptInWords(keptMs.reportDeliveries)} after they are deleted`,
  slack_questions: keptInWords(keptMs.slackQuestions),
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
type FixedTime = Lowercase<string> | `${ReturnType<typeof keptInWords>}${string}`

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
