import { systemClock } from '@querypost/server/ports'
import pg from 'pg'
import { openPostgres, readQueriesPage, readReferencesPage } from '@querypost/server/store'
import { silentLog } from '@querypost/server/testing'
import type { FilledOrganization } from './fill-lists.ts'
import type { World } from './world.ts'

/** Like the service: one more row than the page shows. */
const count = 101

/**
 * The minimum that a page needs: the same rows and columns in the same order by the same index, without a snapshot. The service's own
 * statements run in the same process, so the difference is the cost of the snapshot.
 */
export async function bareStatements(world: World, organization: FilledOrganization) {
  const { id: organizationId, middle } = organization
  const client = new pg.Client({ connectionString: world.databaseUrl })
  await client.connect()
  const store = await openPostgres({ url: world.databaseUrl, maxConnections: 1, clock: systemClock, log: silentLog })
  const { rows } = await world.sql('select pg_current_snapshot()::text as snapshot')
  const { snapshot } = rows[0] as { snapshot: string }

  const bare = (text: string, after?: string) => async () => {
    const values = after ? [organizationId, count, middle.createdAt, after] : [organizationId, count]
    const { rowCount } = await client.query(text, values)
    if (rowCount !== count) throw new Error(`The bare statement returned ${rowCount} rows.`)
  }
  const ours = (read: typeof readReferencesPage | typeof readQueriesPage, after?: string) => async () => {
    const from = after && { snapshot, after: { createdAt: middle.createdAt, id: after } }
    const page = await read(store.db, { organizationId, count, ...(from && { from }) })
    if (page === 'snapshot_unknown' || page.rows.length !== count) throw new Error('The page is not full.')
  }
  return {
    references: {
      first: bare(referencesSql('')),
      later: bare(referencesSql('and (live.created_at, live.id) < ($3::timestamptz, $4)'), middle.referenceId),
      ourFirst: ours(readReferencesPage),
      ourLater: ours(readReferencesPage, middle.referenceId),
    },
    queries: {
      first: bare(queriesSql('')),
      later: bare(queriesSql('and (created_at, id) < ($3::timestamptz, $4::uuid)'), middle.queryId),
      ourFirst: ours(readQueriesPage),
      ourLater: ours(readQueriesPage, middle.queryId),
    },
    async close() {
      await client.end()
      await store.close()
    },
  }
}

const referencesSql = (isAfter: string) => `
  select live.id, live.short_id, live.created_by, live.created_at, title, description, is_optimistic, query_id,
         live.updated_at, queries.sql as query_sql
  from (select * from query_references as live
        where organization_id = $1 and deleted_at is null ${isAfter}
        order by created_at desc, id desc limit $2) as live
  left join queries on queries.id = live.query_id
  order by live.created_at desc, live.id desc`

const queriesSql = (isAfter: string) => `
  select query.*, run.*
  from (select id, sql, analytical_database_config_id, created_by, created_at, updated_at
        from queries where organization_id = $1 ${isAfter}
        order by created_at desc, id desc limit $2) as query
  left join lateral (select id as run_id, status, run_at from runs
                     where query_id = query.id order by number desc limit 1) as run on true
  order by query.created_at desc, query.id desc`
