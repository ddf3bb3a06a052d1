import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { readAuditLog } from '../../store/audit/read-audit-log.ts'
import type { Db } from '../../store/db.ts'
import type { ItemKey, Page, PageRequest } from '../../model/page.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import { requireAdmin } from '../access/require-admin.ts'
import type { Caller } from '../../model/caller.ts'
import { readListPage, withKeys } from '../pagination/list-page.ts'
import { type AuditFilterInput, nameOfFilter, readAuditFilter } from './audit-filter.ts'
import type { AuditRecord } from '../../model/audit-record.ts'
import { auditValue } from './changes.ts'
import { recordAction } from './record-action.ts'

/** Newest first. A filtered page may be short or even empty and still have a next page, because each request scans a bounded range. */
export async function listAuditLog(
  deps: { db: Db; clock: Clock; listCursors: ListCursorCodec },
  caller: Caller,
  request: PageRequest & AuditFilterInput,
): Promise<Page<AuditRecord>> {
  requireAdmin(caller)
  const { organizationId } = caller
  const filter = readAuditFilter(request)
  return readListPage(deps, {
    place: { organizationId, list: 'audit log', filter: nameOfFilter(filter) },
    request,
    async read(page) {
      const { rows, lookedUpTo } = await readAuditLog(deps.db, { organizationId, filter, ...page })
      return { rows: withKeys(rows, keyOf), lookedUpTo }
    },
  })
}

const portion = 500

/** All records that match the filters, in batches, so that memory use stays bounded. The export itself is recorded first. */
export async function exportAuditLog(
  deps: { db: Db; clock: Clock; random: Random },
  caller: Caller,
  request: AuditFilterInput & { format: string },
): Promise<AsyncGenerator<AuditRecord[]>> {
  requireAdmin(caller)
  const { organizationId } = caller
  const { format, ...input } = request
  const filter = readAuditFilter(input)
  await deps.db.transaction().execute((tx) =>
    recordAction({ ...deps, tx }, caller, {
      action: 'audit_log.exported',
      subject: { type: 'audit_log', id: null, name: null },
      details: { format, filters: auditValue(input) },
    }),
  )
  async function* portions() {
    let after: ItemKey | undefined
    for (;;) {
      const read = { organizationId, filter, count: portion, ...(after && { after }) }
      const { rows, lookedUpTo } = await readAuditLog(deps.db, read)
      if (rows.length > 0) yield rows
      const isFull = rows.length === portion
      if (!isFull && !lookedUpTo) return
      after = isFull ? keyOf(rows.at(-1)!) : lookedUpTo!
    }
  }
  return portions()
}

const keyOf = ({ id, occurredAt }: AuditRecord): ItemKey => ({ createdAt: occurredAt.toISOString(), id })
