import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { createPartition, dropPartition } from '../../store/partitions/change-partitions.ts'
import type { PartitionedTable } from '../../store/partitions/partitioned-tables.ts'
import { readPartitions, type StoredPartition } from '../../store/partitions/read-partitions.ts'
import { removeOldRows } from '../../store/partitions/remove-old-rows.ts'
import { firstOrderedId, timeOfOrderedId } from '../ids.ts'
import { batchRows, type Sweep, type SweptKind } from '../sweep-step.ts'
import { type Partition, planPartitions } from './plan-partitions.ts'

/** How the bounds of partitions are written. */
interface Bounds {
  at(ms: number): string
  timeOf(bound: string): number | undefined
}

const boundsOf: Record<PartitionedTable, Bounds> = {
  webhook_events: { at: (ms) => firstOrderedId('evt', ms), timeOf: (bound) => timeOfOrderedId('evt', bound) },
  audit_log: {
    at: (ms) => new Date(ms).toISOString(),
    timeOf: (bound) => Date.parse(`${bound.replace(' ', 'T')}:00`) || undefined,
  },
}

/**
 * Creates the partitions that are needed next, drops expired ones, and deletes expired rows of the others. What it does follows from the
 * catalog alone, so it doesn't matter which process does it, and how far another one got.
 */
export function sweepOfPartitions(
  { db, clock }: { db: Db; clock: Clock },
  { table, kind, keptMs }: { table: PartitionedTable; kind: SweptKind; keptMs: number },
): Sweep {
  const bounds = boundsOf[table]
  return {
    kind,
    async removeBatch() {
      const nowMs = clock.now().getTime()
      const before = new Date(nowMs - keptMs)
      const existing = (await readPartitions(db, table)).map((partition) => withRange(partition, bounds))
      const plan = planPartitions(existing, { nowMs, keptMs })
      for (const { fromMs, toMs } of plan.create) {
        await createPartition(db, { table, name: nameOf(table, fromMs), from: bounds.at(fromMs), to: bounds.at(toMs) })
      }
      let rows = 0
      for (const name of plan.drop) rows += (await dropPartition(db, { table, name, before })) ?? 0
      let portion = batchRows
      for (const partition of plan.deleteFrom) {
        if (portion > 0) portion -= await removeOldRows(db, { table, partition, before, portion })
      }
      return { rows: rows + batchRows - portion, hasMore: portion === 0 }
    },
  }
}

/** An open end, or a bound that says no time, is infinitely far away. */
function withRange({ name, isDefault, from, to }: StoredPartition, { timeOf }: Bounds): Partition {
  if (isDefault) return { name, range: null }
  const fromMs = (from !== null ? timeOf(from) : undefined) ?? -Infinity
  const toMs = (to !== null ? timeOf(to) : undefined) ?? Infinity
  return { name, range: { fromMs, toMs } }
}

/** By the day on which it begins, or by the second if that is not midnight: `audit_log_p20261116`. */
function nameOf(table: PartitionedTable, fromMs: number): string {
  const [day, time] = new Date(fromMs).toISOString().slice(0, 19).split('T')
  return `${table}_p${`${day}${time === '00:00:00' ? '' : time}`.replaceAll(/\D/g, '')}`
}
