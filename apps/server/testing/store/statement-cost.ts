import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { type Db, tune } from '../../src/store/db.ts'
import type { Schema } from '../../src/store/schema.ts'
import { type Cost, costOf, type PlanNode } from '../lists/page-cost.ts'

/** Runs code that executes one or more statements and measures their cost. */
export interface StatementCosts {
  measure<Answer>(run: (db: Db) => Promise<Answer>): Promise<{ answer: Answer; cost: Cost }>
  measureEach<Answer>(run: (db: Db) => Promise<Answer>): Promise<{ answer: Answer; costs: Cost[] }>
  close(): Promise<void>
}

const isTransactionControl = (statement: string) => /^(begin|commit|rollback|start transaction)\b/i.test(statement)

/** `now` sets the store's time. */
export function openStatementCosts(url: string, { now }: { now?: Date } = {}): StatementCosts {
  const options = now && `-c querypost.now=${now.toISOString()}`
  const pool = new pg.Pool({ connectionString: url, max: 1, ...(options && { options }) })
  let statements: { sql: string; parameters: readonly unknown[] }[] = []
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool, onCreateConnection: tune }),
    log: ({ query }) => void (isTransactionControl(query.sql) || statements.push(query)),
  })
  async function explain({ sql, parameters }: (typeof statements)[number]): Promise<Cost> {
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      `explain (analyze, buffers, timing off, format json) ${sql}`,
      [...parameters],
    )
    return costOf(rows[0]!['QUERY PLAN'][0].Plan)
  }
  async function measureEach<Answer>(run: (db: Db) => Promise<Answer>) {
    statements = []
    const answer = await run(db)
    const costs: Cost[] = []
    for (const statement of statements) costs.push(await explain(statement))
    return { answer, costs }
  }
  return {
    measureEach,
    async measure(run) {
      const { answer, costs } = await measureEach(run)
      return { answer, cost: costs.at(-1)! }
    },
    close: () => db.destroy(),
  }
}
