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

/** As pg writes them. */
function literalOf(value: unknown): string {
  if (value === null) return 'null'
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString())
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map((each) => JSON.stringify(each)).join()}}`)
  return pg.escapeLiteral(typeof value === 'string' ? value : JSON.stringify(value))
}

/** `now` sets the store's time. `plan: 'generic'` explains the plan that statements have which are prepared once. */
export function openStatementCosts(url: string, { now, plan = 'custom' }: { now?: Date; plan?: 'custom' | 'generic' } = {}): StatementCosts {
  const options = now && `-c querypost.now=${now.toISOString()}`
  const pool = new pg.Pool({ connectionString: url, max: 1, ...(options && { options }) })
  let statements: { sql: string; parameters: readonly unknown[] }[] = []
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool, onCreateConnection: tune }),
    log: ({ query }) => void (isTransactionControl(query.sql) || statements.push(query)),
  })
  const explaining = 'explain (analyze, buffers, timing off, format json)'
  async function explain({ sql, parameters }: (typeof statements)[number]): Promise<Cost> {
    if (plan === 'custom') return readCost(`${explaining} ${sql}`, [...parameters])
    await pool.query('set plan_cache_mode = force_generic_plan')
    await pool.query(`prepare explained as ${sql}`)
    const values = parameters.length > 0 ? `(${parameters.map(literalOf).join(', ')})` : ''
    const cost = await readCost(`${explaining} execute explained ${values}`)
    await pool.query('deallocate explained')
    return cost
  }
  async function readCost(text: string, parameters: unknown[] = []): Promise<Cost> {
    const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(text, parameters)
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
