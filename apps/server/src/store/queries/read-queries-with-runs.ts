import { sql } from 'kysely'
import type { QueryWithRuns } from '../../model/query.ts'
import type { Dialect } from '../../model/database.ts'
import type { Db } from '../db.ts'
import { fixedStatement } from '../fixed-statement.ts'
import { prepared } from '../prepared.ts'
import { runColumns, runOfRow, type RunRow } from '../runs/runs-table.ts'

interface QueryColumns {
  found_id: string
  organization_id: string
  sql: string
  analytical_database_config_id: string
  created_by: string
  created_at: Date
  updated_at: Date
  engine: Dialect
  is_database_deleted: boolean
  reads_saved_queries: boolean
  has_row_rules: boolean
}

type Row = QueryColumns & ((RunRow & { is_latest: boolean }) | { id: null })

/**
 * Queries by id, each with its latest run and its latest completed run: two index lookups per query. It must be a single statement,
 * so that both runs come from the same snapshot.
 */
export async function readQueriesWithRuns(
  db: Db,
  ids: string[],
): Promise<Map<string, { organizationId: string; query: QueryWithRuns }>> {
  const { rows } = await statement(db, ids)
  const values = new Map<string, { organizationId: string; query: QueryWithRuns }>()
  for (const row of rows) {
    const found = values.get(row.found_id) ?? { organizationId: row.organization_id, query: withoutRuns(row) }
    values.set(row.found_id, found)
    if (row.id === null) continue
    found.query[row.is_latest ? 'latestRun' : 'latestCompletedRun'] = runOfRow(row)
  }
  return values
}

const columns = sql.join(runColumns.map((column) => sql.ref(column)))

const statement = fixedStatement(
  (_db, ids: string[]) => sql<Row>`${prepared}
    select queries.id as found_id, queries.organization_id, queries.sql,
      queries.analytical_database_config_id, queries.created_by, queries.created_at, queries.updated_at, config.engine,
      config.deleted_at is not null as is_database_deleted,
      coalesce((config.settings ->> 'readsSavedQueries')::boolean, false) as reads_saved_queries,
      config.row_rules is not null as has_row_rules, run.*
    from queries
    join analytical_database_configs as config on config.id = queries.analytical_database_config_id
    left join lateral (
      (select ${columns}, true as is_latest from runs
       where query_id = queries.id order by number desc limit 1)
      union all
      (select ${columns}, false from runs
       where query_id = queries.id and status = 'completed' order by number desc limit 1)
    ) as run on true
    where queries.id = any(${ids}::uuid[]) and queries.expired_at is null`,
)

const withoutRuns = (row: QueryColumns): QueryWithRuns => ({
  id: row.found_id,
  sql: row.sql,
  analyticalDatabaseConfigId: row.analytical_database_config_id,
  createdBy: row.created_by,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
  dialect: row.engine,
  isDatabaseDeleted: row.is_database_deleted,
  readsSavedQueries: row.reads_saved_queries,
  hasRowRules: row.has_row_rules,
  latestRun: null,
  latestCompletedRun: null,
})
