import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { expect } from 'vitest'
import type { ItemKey, PageRead, PageRows } from '../../src/model/page.ts'
import { type Db, tune } from '../../src/store/db.ts'
import type { Schema } from '../../src/store/schema.ts'
import { exactText } from '../../src/store/snapshot.ts'
import { pollPause } from '../poll-pause.ts'
import type { Stage } from './list-world.ts'

/** What a statement did, as counted by PostgreSQL, independent of time. */
export interface Cost {
  /** Pages of 8 kB that it read, cached or not. */
  buffers: number
  /** Tables that it scanned as a whole. Not an empty partition, which has no page to read. */
  scannedTables: string[]
  /** The maximum number of rows sorted by one step. */
  sortedRows: number
  /** The maximum number of rows read or discarded by one step, over all its loops. */
  rowsInOneStep: number
}

export interface PageCosts {
  db: Db
  /** Reads a page and measures its cost with the custom plan for these parameters and with the generic plan. */
  measure<Item>(
    read: (db: Db, page: PageRead) => Promise<PageRows<Item> | 'snapshot_unknown'>,
    page: PageRead,
  ): Promise<{ answer: PageRows<Item>; costs: Record<PlanKind, Cost> }>
  close(): Promise<void>
}

export const planKinds = ['custom', 'generic'] as const
export type PlanKind = (typeof planKinds)[number]

export function openPageCosts(url: string): PageCosts {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  let last: { sql: string; parameters: readonly unknown[] } | undefined
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool, onCreateConnection: tune }),
    log(event) {
      last = event.query
    },
  })

  async function explain(kind: PlanKind, statement: { sql: string; parameters: readonly unknown[] }): Promise<Cost> {
    const client = await pool.connect()
    try {
      const values = statement.parameters.map((value) => pg.escapeLiteral(String(value))).join(', ')
      await client.query(`set plan_cache_mode = force_${kind}_plan`)
      await client.query(`prepare page as ${statement.sql}`)
      const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, buffers, timing off, format json) execute page (${values})`,
      )
      await client.query('deallocate page')
      return costOf(rows[0]!['QUERY PLAN'][0].Plan)
    } finally {
      client.release()
    }
  }

  return {
    db,
    async measure(read, page) {
      const answer = await read(db, page)
      if (answer === 'snapshot_unknown') throw new Error('the snapshot is unknown')
      const statement = last!
      return {
        answer,
        costs: { custom: await explain('custom', statement), generic: await explain('generic', statement) },
      }
    },
    close: () => db.destroy(),
  }
}

export interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Index Recheck'?: number
  'Rows Removed by Join Filter'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

export function costOf(root: PlanNode): Cost {
  const nodes = [...walk(root)]
  const rowsOf = (node: PlanNode) =>
    node['Actual Loops'] *
    (node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0) +
      (node['Rows Removed by Join Filter'] ?? 0))
  return {
    buffers: pagesOf(root),
    scannedTables: nodes.filter((node) => node['Node Type'] === 'Seq Scan' && !isEmptyPartition(node)).map((node) => node['Relation Name']!),
    sortedRows: Math.max(0, ...nodes.filter((node) => node['Node Type'].endsWith('Sort')).map(rowsOf)),
    rowsInOneStep: Math.max(...nodes.map(rowsOf)),
  }
}

const pagesOf = (node: PlanNode) => node['Shared Hit Blocks'] + node['Shared Read Blocks']
const isEmptyPartition = (node: PlanNode) => pagesOf(node) === 0 && /_p(_first|_default|\d+)$/.test(node['Relation Name']!)

function* walk(node: PlanNode): Generator<PlanNode> {
  yield node
  for (const child of node.Plans ?? []) yield* walk(child)
}

/**
 * Waits until all transactions of the server that began before have ended, also those in databases of other tests. A snapshot counts them
 * as running, so a page as of that snapshot checks every row that was changed since the oldest of them.
 */
export async function untilEarlierEnded(db: Db): Promise<void> {
  const { rows } = await sql<{ xid: string }>`select pg_current_xact_id()::text as xid`.execute(db)
  const isPast = sql<{ isPast: boolean }>`select pg_snapshot_xmin(pg_current_snapshot()) > ${rows[0]!.xid}::xid8 as "isPast"`
  while (!(await isPast.execute(db)).rows[0]!.isPast) await pollPause()
}

/**
 * Vacuums a table after its changes have become final for every reader: once all earlier transactions have ended, and until no dead rows
 * are left, which an autovacuum worker that reads another table can keep from being removed.
 */
export async function vacuumAlone(db: Db, table: string): Promise<void> {
  await untilEarlierEnded(db)
  // The server of the tests commits without waiting for its log. Until that is flushed, vacuum doesn't mark pages as visible to all.
  await db.transaction().execute(async (tx) => {
    await sql`set local synchronous_commit = on`.execute(tx)
    await sql`select pg_logical_emit_message(true, 'flush', '')`.execute(tx)
  })
  const hasDeadRows = async () => {
    const { rows } = await sql`
      select from pg_stat_user_tables where relname = ${table} and n_dead_tup > 0`.execute(db)
    return rows.length > 0
  }
  await sql`vacuum analyze ${sql.table(table)}`.execute(db)
  while (await hasDeadRows()) {
    await pollPause()
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
  }
}

/** Adds `size` queries to an organization, three per second, in one transaction. */
export async function addQueries(stage: Stage, size: number): Promise<void> {
  const { organizationId, userId } = stage.caller
  await sql`
    insert into queries (id, organization_id, sql, analytical_database_config_id, created_by, created_at, updated_at)
    select md5(${organizationId} || i)::uuid, ${organizationId}, 'select ' || i, ${stage.configId}, ${userId}, at, at
    from generate_series(1, ${size}::integer) as i,
      lateral (select timestamptz '2026-01-01Z' + i / 3 * interval '1 second' as at) as made`.execute(stage.store.db)
}

/** The position before the item with this rank in its list, counted from 0. */
export async function keyBefore(stage: Stage, table: 'queries' | 'query_references', rank: number): Promise<ItemKey> {
  const { rows } = await sql<ItemKey>`
    select id::text as id, ${exactText(sql`created_at`)} as "createdAt"
    from ${sql.table(table)} as item
    where organization_id = ${stage.caller.organizationId}
    order by item.created_at desc, item.id desc
    offset ${rank - 1} limit 1`.execute(stage.store.db)
  return rows[0]!
}

/** Checks that a page costs no more than its own items: nothing else was scanned, sorted or discarded. */
export function expectBounded(
  costs: Record<PlanKind, Cost>,
  options: { count: number; buffersPerItem: number; rowsPerItem?: number },
): void {
  for (const kind of planKinds) {
    const cost = costs[kind]
    expect(cost.scannedTables, kind).toEqual([])
    expect(cost.sortedRows, kind).toBeLessThanOrEqual(2 * options.count)
    expect(cost.rowsInOneStep, kind).toBeLessThanOrEqual((options.rowsPerItem ?? 2) * options.count)
    expect(cost.buffers, kind).toBeLessThanOrEqual(options.buffersPerItem * options.count)
  }
}
