import type { Clock } from '../../ports/clock.ts'
import { removeOldKeyUse, removeOldRecords } from '../../store/audit/sweep.ts'
import type { Db } from '../../store/db.ts'

/** A year, and what it takes to look back on it. */
export const auditLogDaysDefault = 400

const portion = 1000
/** What is left after so many comes with the next sweep. */
const portionsMax = 100

/** The only thing that ever takes a record away. */
export async function sweepAuditLog(deps: { db: Db; clock: Clock; auditLogKeptMs: number }): Promise<void> {
  const before = new Date(deps.clock.now().getTime() - deps.auditLogKeptMs)
  await inPortions(() => removeOldRecords(deps.db, { before, portion }))
  await inPortions(() => removeOldKeyUse(deps.db, { before, portion }))
}

async function inPortions(remove: () => Promise<number>): Promise<void> {
  for (let done = 0; done < portionsMax; done += 1) if ((await remove()) < portion) return
}
