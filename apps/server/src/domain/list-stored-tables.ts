import { hasOtherOrganizations } from '../store/people/organizations-table.ts'
import { readTableSizes } from '../store/read-table-sizes.ts'
import { asNobody } from '../store/viewer.ts'
import { requireAdmin } from './access/require-admin.ts'
import { describeTables, type StoredTable } from './describe-tables.ts'
import type { RetentionSetting } from './kept-for.ts'
import { Refusal } from './refusal.ts'
import type { BaseServices, RetentionServices } from './services.ts'
import type { Caller } from '../model/caller.ts'

export type StorageServices = BaseServices & RetentionServices & { resultLifetimeMs: number }

/** The tables of the store, largest first. They hold the data of all organizations, so only the admins of the only one may see them. */
export async function listStoredTables(services: StorageServices, caller: Caller): Promise<StoredTable[]> {
  requireAdmin(caller)
  if (await hasOtherOrganizations(services.db, caller.organizationId)) {
    throw new Refusal('forbidden', 'The tables hold the data of several organizations. The operator of the service can list them with querypost storage.')
  }
  return describeTables(await asNobody(() => readTableSizes(services.db)), settingsOf(services))
}

const hourMs = 3600_000
const dayMs = 24 * hourMs

const settingsOf = ({ resultLifetimeMs, auditLogKeptMs, retention }: StorageServices): Record<RetentionSetting, number> => ({
  RESULT_TTL_HOURS: resultLifetimeMs / hourMs,
  UNSAVED_QUERY_DAYS: retention.unsavedQueryMs / dayMs,
  RUN_DAYS: retention.runMs / dayMs,
  CHAT_DAYS: retention.chatMs / dayMs,
  ALERT_HISTORY_DAYS: retention.alertHistoryMs / dayMs,
  UNUSED_IMAGE_DAYS: retention.unusedImageMs / dayMs,
  AUDIT_LOG_DAYS: auditLogKeptMs / dayMs,
})
