import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db, Tx } from '../../store/db.ts'
import { findDatabase } from '../../store/databases/databases-table.ts'
import { databaseOfQuery, type FindQuery, insertQuery } from '../../store/queries/queries-table.ts'
import { readQueriesPage } from '../../store/queries/read-queries-page.ts'
import { inTransaction } from '../../store/in-transaction.ts'
import { recordAction, recordOnceAnHour } from '../audit/record-action.ts'
import { newUuid } from '../ids.ts'
import { type PageDeps, readPage } from '../pagination/page.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import type { Caller } from '../../model/caller.ts'
import { Refusal } from '../refusal.ts'
import { checkRefs } from '../saved-queries/check-refs.ts'
import type { ListedQuery, Query, QueryWithRuns } from '../../model/query.ts'

export type { FindQuery } from '../../store/queries/queries-table.ts'

/** Long enough for any query a person or a generator writes; short enough to keep a page of a hundred queries small. */
export const sqlMaxLength = 256 * 1024

export interface QueriesDeps extends PageDeps {
  db: Db
  clock: Clock
  random: Random
  findQuery: FindQuery
}

export function listQueries(deps: QueriesDeps, caller: Caller, request: PageRequest): Promise<Page<ListedQuery>> {
  return readPage(deps, { caller, list: 'queries', request, read: (page) => readQueriesPage(deps.db, page) })
}

export async function getStoredQuery(
  deps: Pick<QueriesDeps, 'findQuery'>,
  caller: Caller,
  queryId: string,
): Promise<QueryWithRuns> {
  const query = await deps.findQuery({ organizationId: caller.organizationId, queryId })
  if (!query) throw noSuchQuery(queryId)
  return query
}

export const noSuchQuery = (queryId: string) =>
  new Refusal(
    'query_not_found',
    `There is no query ${JSON.stringify(queryId)}. Unsaved queries expire some time after their last run.`,
  )

export interface NewQuery {
  sql: string
  analyticalDatabaseConfigId?: string | undefined
  /** Use the database of this query if none is named. */
  sameDatabaseAs?: string
  /** Only if an optimistic reference has reserved it. */
  id?: string
  /** A reference is about to point to it. Each of these is recorded; other queries once an hour. */
  isSaved?: boolean
}

export async function storeQuery(
  deps: { db: Db | Tx; clock: Clock; random: Random },
  caller: Caller,
  input: NewQuery,
): Promise<Query> {
  const { organizationId } = caller
  checkSql(input.sql)
  const configId =
    input.analyticalDatabaseConfigId ??
    (input.sameDatabaseAs && (await databaseOfQuery(deps.db, { organizationId, queryId: input.sameDatabaseAs })))
  if (!configId) {
    throw new Refusal('invalid_request', 'Specify the database to run the query against.', [
      { path: '/analyticalDatabaseConfigId', message: 'is required here: the reference has no query yet' },
    ])
  }
  const database = await findDatabase(deps.db, { organizationId, configId })
  if (!database) throw new Refusal('database_not_found', `There is no database ${JSON.stringify(configId)} in your organization.`)
  checkRefs(input.sql, database)
  return inTransaction(deps.db, async (tx) => {
    const query = await insertQuery(tx, {
      id: input.id ?? newUuid(deps),
      organizationId,
      sql: input.sql,
      analyticalDatabaseConfigId: configId,
      createdBy: caller.userId,
      now: deps.clock.now(),
    })
    const record = input.isSaved ? recordAction : recordOnceAnHour
    await record({ ...deps, tx }, caller, {
      action: 'query.created',
      subject: { type: 'query', id: query.id, name: null },
      details: { databaseId: configId },
    })
    return query
  })
}

function checkSql(text: string) {
  const fault =
    text.trim() === ''
      ? 'must contain a SQL statement'
      : text.length > sqlMaxLength
        ? `must be at most ${sqlMaxLength} characters long, not ${text.length}`
        : undefined
  if (fault) throw new Refusal('invalid_request', `The SQL text ${fault}.`, [{ path: '/sql', message: fault }])
}
