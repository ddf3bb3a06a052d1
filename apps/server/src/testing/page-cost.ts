import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { PageRead, PageRows } from '../domain/pagination/page.ts'
import type { Db } from '../store/db.ts'
import type { Schema } from '../store/schema.ts'

/** What a statement did, as PostgreSQL counts it: not how long it took. */
export interface Cost {
  /** Pages of 8 kB that it looked at, cached or not. */
  buffers: number
  /** Tables that it read from end to end. */
  scannedTables: string[]
  /** The most rows that any step sorted. */
  sortedRows: number
  /** The most rows that any step read or threw away, all its repetitions together. */
  rowsInOneStep: number
}

export interface PageCosts {
  db: Db
  /** Reads a page and tells what it cost with the plan made for these very parameters, and with the one made for any. */
  measure<Item>(
    read: (db: Db, page: PageRead) => Promise<PageRows<Item> | 'snapshot_unknown'>,
    page: PageRead,
  ): Promise<{ answer: PageRows<Item>; costs: Record<PlanKind, Cost> }>
  close(): Promise<void>
}

export type PlanKind = 'custom' | 'generic'

export function openPageCosts(url: string): PageCosts {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  let last: { sql: string; parameters: readonly unknown[] } | undefined
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
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

interface PlanNode {
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

function costOf(root: PlanNode): Cost {
  const nodes = [...walk(root)]
  const rowsOf = (node: PlanNode) =>
    node['Actual Loops'] *
    (node['Actual Rows'] +
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0) +
      (node['Rows Removed by Join Filter'] ?? 0))
  return {
    buffers: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
    scannedTables: nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name']!),
    sortedRows: Math.max(0, ...nodes.filter((node) => node['Node Type'].endsWith('Sort')).map(rowsOf)),
    rowsInOneStep: Math.max(...nodes.map(rowsOf)),
  }
}

function* walk(node: PlanNode): Generator<PlanNode> {
  yield node
  for (const child of node.Plans ?? []) yield* walk(child)
}
