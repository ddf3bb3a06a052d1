import { sql } from 'kysely'
import type { Db, Tx } from '../db.ts'
import { locksOfOne } from '../locks.ts'
import { withoutDeadline } from '../prepared.ts'
import { type PartitionedTable, timeColumns } from './partitioned-tables.ts'

/**
 * Creating and dropping a partition needs locks that readers and publishers of the table wait for. So it gives up when it doesn't get them
 * at once, and the next sweep tries again. Each is one transaction: a process that dies in between leaves nothing behind.
 */
const lockMs = 100

/**
 * Creates a partition, and returns whether it did. It does not if the default partition has rows of the range already: they would have
 * to move, and are deleted by age where they are.
 */
export async function createPartition(
  db: Db,
  options: { table: PartitionedTable; name: string; from: string; to: string },
): Promise<boolean> {
  const { table, name, from, to } = options
  const isDone = await changeAlone(db, table, async (tx) => {
    if (await isPartition(tx, { table, name })) return false
    // Attaching a table, unlike creating a partition, doesn't lock the partitioned one against reads and writes.
    await sql`create table ${sql.table(name)} (like ${sql.table(table)} including defaults including constraints)`.execute(tx)
    await sql`
      ${withoutDeadline} alter table ${sql.table(table)} attach partition ${sql.table(name)}
      for values from (${sql.lit(from)}) to (${sql.lit(to)})`.execute(tx)
    return true
  })
  return isDone ?? false
}

/**
 * Drops a partition if it has no row of `before` or later, and returns how many rows it had, as PostgreSQL estimates; undefined if it
 * was not dropped.
 */
export async function dropPartition(
  db: Db,
  options: { table: PartitionedTable; name: string; before: Date },
): Promise<number | undefined> {
  const { table, name, before } = options
  return changeAlone(db, table, async (tx) => {
    if (!(await isPartition(tx, { table, name }))) return undefined
    await sql`lock table only ${sql.table(table)} in access exclusive mode`.execute(tx)
    const { rows } = await sql<{ rowCount: number; isKept: boolean }>`
      select greatest(reltuples, 0)::float8 as "rowCount", exists (
        select from ${sql.table(name)} where ${sql.ref(timeColumns[table])} >= ${before}) as "isKept"
      from pg_class where oid = ${name}::regclass`.execute(tx)
    if (rows[0]!.isKept) return undefined
    await sql`drop table ${sql.table(name)}`.execute(tx)
    return rows[0]!.rowCount
  })
}

/** Another process may have created or dropped it since this one read the catalog. */
async function isPartition(tx: Tx, { table, name }: { table: PartitionedTable; name: string }): Promise<boolean> {
  const { rows } = await sql`
    select from pg_inherits where inhparent = ${table}::regclass and inhrelid = to_regclass(${name})`.execute(tx)
  return rows.length > 0
}

/** Undefined if another process is changing the partitions of the table, if a lock is not available, or if the rows don't permit it. */
async function changeAlone<Result>(
  db: Db,
  table: PartitionedTable,
  change: (tx: Tx) => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await db.transaction().execute(async (tx) => {
      await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(tx)
      const { rows } = await sql<{ isAlone: boolean }>`
        select pg_try_advisory_xact_lock(${sql.lit(locksOfOne.partitions)}, hashtext(${table})) as "isAlone"`.execute(tx)
      return rows[0]!.isAlone ? await change(tx) : undefined
    })
  } catch (error) {
    if (expectedCodes.has((error as { code?: string }).code ?? '')) return undefined
    throw error
  }
}

/** A lock timeout, a deadlock, or a row of the default partition that is in the range. */
const expectedCodes = new Set(['55P03', '40P01', '23514'])
