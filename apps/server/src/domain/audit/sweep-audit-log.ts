import type { Clock } from '../../ports/clock.ts'
import { removeOldKeyUse, removeOldTallies } from '../../store/audit/remove-old-audit-records.ts'
import type { Db } from '../../store/db.ts'
import { sweepOfPartitions } from '../partitions/sweep-partitions.ts'
import { type Sweep, sweepOf } from '../sweep-step.ts'

/** A year, plus some time to review it. */
export const auditLogDaysDefault = 400

/** The only code that ever deletes a record. */
export function auditLogSweeps(deps: { db: Db; clock: Clock; auditLogKeptMs: number }): Sweep[] {
  const before = new Date(deps.clock.now().getTime() - deps.auditLogKeptMs)
  return [
    sweepOfPartitions(deps, { table: 'audit_log', kind: 'audit_records', keptMs: deps.auditLogKeptMs }),
    sweepOf('audit_records', (portion) => removeOldTallies(deps.db, { before, portion })),
    sweepOf('key_use', (portion) => removeOldKeyUse(deps.db, { before, portion })),
  ]
}
