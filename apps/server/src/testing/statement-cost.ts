import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { type Db, tune } from '../store/db.ts'
import type { Schema } from '../store/schema.ts'
import { type Cost, costOf, type PlanNode } from './page-cost.ts'

/** Runs something that makes one statement, and tells what that statement costs. */
export interface StatementCosts {
  measure<Answer>(run: (db: Db) => Promise<Answer>): Promise<{ answer: Answer; cost: Cost }>
  close(): Promise<void>
}

export function openStatementCosts(url: string): StatementCosts {
  const pool = new pg.Pool({ connectionString: url, max: 1 })
  let last: { sql: string; parameters: readonly unknown[] } | undefined
  const db = new Kysely<Schema>({
    dialect: new PostgresDialect({ pool, onCreateConnection: tune }),
    log: (event) => void (last = event.query),
  })
  return {
    async measure(run) {
      const answer = await run(db)
      const { rows } = await pool.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
        `explain (analyze, buffers, timing off, format json) ${last!.sql}`,
        [...last!.parameters],
      )
      return { answer, cost: costOf(rows[0]!['QUERY PLAN'][0].Plan) }
    },
    close: () => db.destroy(),
  }
}
