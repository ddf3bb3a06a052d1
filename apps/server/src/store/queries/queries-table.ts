import type { Query, QueryWithRuns } from '../../model/query.ts'
import { batchedLookup, type Lookup, lookupAhead } from '../batched-lookup.ts'
import type { Db, Tx } from '../db.ts'
import { readQueriesWithRuns } from './read-queries-with-runs.ts'

export async function insertQuery(
  db: Db | Tx,
  query: Omit<Query, 'createdAt' | 'updatedAt'> & { organizationId: string; now: Date },
): Promise<Query> {
  await db
    .insertInto('queries')
    .values({
      id: query.id,
      organization_id: query.organizationId,
      sql: query.sql,
      analytical_database_config_id: query.analyticalDatabaseConfigId,
      created_by: query.createdBy,
      created_at: query.now,
      updated_at: query.now,
    })
    .execute()
  return {
    id: query.id,
    sql: query.sql,
    analyticalDatabaseConfigId: query.analyticalDatabaseConfigId,
    createdBy: query.createdBy,
    createdAt: query.now,
    updatedAt: query.now,
  }
}

export async function databaseOfQuery(
  db: Db | Tx,
  key: { organizationId: string; queryId: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('queries')
    .select('analytical_database_config_id')
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.queryId)
    .executeTakeFirst()
  return row?.analytical_database_config_id
}

/**
 * Whether the query exists. It cannot expire until the transaction ends, so that a reference about to be written will not point to
 * nothing.
 */
export async function lockQueryAgainstExpiry(tx: Tx, key: { organizationId: string; queryId: string }): Promise<boolean> {
  const row = await tx
    .selectFrom('queries')
    .select('id')
    .where('organization_id', '=', key.organizationId)
    .where('id', '=', key.queryId)
    .where('expired_at', 'is', null)
    .forKeyShare()
    .executeTakeFirst()
  return row !== undefined
}

export interface FindQuery {
  (key: { organizationId: string; queryId: string }): Promise<QueryWithRuns | undefined>
  /** Starts to look for a query before the caller is known. */
  ahead?(queryId: string): FindQuery
}

/** Finds queries by id; see `batched-lookup.ts`. */
export function makeFindQuery({ db }: { db: Db }): FindQuery {
  return findQueryBy(batchedLookup({ read: (ids: string[]) => readQueriesWithRuns(db, ids) }))
}

function findQueryBy(byId: Lookup<string, { organizationId: string; query: QueryWithRuns }>): FindQuery {
  const find = async ({ organizationId, queryId }: { organizationId: string; queryId: string }) => {
    const found = await byId(queryId.toLowerCase())
    return found?.organizationId === organizationId ? found.query : undefined
  }
  return Object.assign(find, { ahead: (queryId: string) => findQueryBy(lookupAhead(byId, queryId.toLowerCase())) })
}
