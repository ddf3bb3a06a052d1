import { sql } from 'kysely'
import type { Visualization } from '@querypost/visualization'
import type { ReferenceSummary } from '../../model/board.ts'
import type { Dialect } from '../../model/database.ts'
import type { ParameterDefinition } from '../../model/parameter.ts'
import type { Db, Tx } from '../db.ts'
import { prepared } from '../prepared.ts'

/** The query of a tile, with everything that is needed to render its SQL. */
export interface TileQuery extends ReferenceSummary {
  referenceId: string
  /** How old its result may be when other queries read it; null if a stored one is always fresh enough. */
  freshForSeconds: number | null
  /** Null while the reference has no query. */
  query: { sql: string; dialect: Dialect; isDatabaseDeleted: boolean; readsSavedQueries: boolean; hasRowRules: boolean } | null
}

interface Row {
  referenceId: string
  shortId: string
  title: string
  description: string | null
  visualization: Visualization | null
  parameters: ParameterDefinition[]
  queryId: string
  freshForSeconds: number | null
  analyticalDatabaseConfigId: string | null
  sql: string | null
  dialect: Dialect
  isDatabaseDeleted: boolean
  readsSavedQueries: boolean
  hasRowRules: boolean
}

/** The references with these short ids, without deleted ones and those of other organizations. */
export async function readTileQueries(
  db: Db | Tx,
  key: { organizationId: string; shortIds: string[] },
): Promise<Map<string, TileQuery>> {
  const { rows } = await sql<Row>`${prepared}
    select reference.id as "referenceId", reference.short_id as "shortId", reference.title, reference.description, reference.visualization, reference.parameters,
      reference.query_id as "queryId", reference.fresh_for_seconds as "freshForSeconds", queries.analytical_database_config_id as "analyticalDatabaseConfigId", queries.sql,
      config.engine as dialect, config.deleted_at is not null as "isDatabaseDeleted",
      coalesce((config.settings ->> 'readsSavedQueries')::boolean, false) as "readsSavedQueries",
      config.row_rules is not null as "hasRowRules"
    from query_references as reference
    left join queries on queries.id = reference.stored_query_id
    left join analytical_database_configs as config on config.id = queries.analytical_database_config_id
    where reference.short_id = any(${key.shortIds}::text[]) and reference.organization_id = ${key.organizationId}
      and reference.deleted_at is null`.execute(db)
  return new Map(
    rows.map(({ sql: text, dialect, isDatabaseDeleted, readsSavedQueries, hasRowRules, ...reference }) => [
      reference.shortId,
      { ...reference, query: text === null ? null : { sql: text, dialect, isDatabaseDeleted, readsSavedQueries, hasRowRules } },
    ]),
  )
}
