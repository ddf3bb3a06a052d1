import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { type Clock, systemClock } from '../../src/ports/clock.ts'
import { openPostgres, type StoreServer } from '../../src/store/db.ts'
import type { StoreDialectHooks } from '../../src/store/store-dialect.ts'
import { openServerConnections, startPgbouncer } from '../servers/pgbouncer.ts'
import { silentLog } from '../silent-log.ts'
import { copyTemplate } from './copy-template.ts'
import type { TestStore } from './test-store.ts'

/** Opens a migrated, empty store through PgBouncer: each transaction gets another connection to the server. */
export async function openPooledStore({ clock }: { clock?: Pick<Clock, 'now'> } = {}): Promise<TestStore & { server?: StoreServer }> {
  const serverUrl = inject('postgresUrl')
  const [directUrl, pooler] = await Promise.all([copyTemplate(serverUrl), startPgbouncer(serverUrl)])
  const url = pooler.throughPooler(directUrl)
  await openServerConnections(url)
  const beforeStatement = clock && (await keepTimeInTable(directUrl, clock))
  const store = await openPostgres({ url, directUrl, clock: systemClock, log: silentLog, ...(beforeStatement && { beforeStatement }) })
  return {
    ...store,
    url,
    async close() {
      await store.close()
      await pooler.stop()
    },
  }
}

/** Makes the store use a test's clock. Elsewhere the time is a setting of the connection, which PgBouncer does not keep. */
async function keepTimeInTable(url: string, clock: Pick<Clock, 'now'>): Promise<NonNullable<StoreDialectHooks['beforeStatement']>> {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(`
    create table test_time as select now() as now;
    create or replace function store_now() returns timestamptz language sql stable as 'select now from test_time'`)
  await client.end()
  let setTo: number | undefined
  return async (connection) => {
    const now = clock.now()
    if (setTo === now.getTime()) return
    await connection.executeQuery(CompiledQuery.raw(`update test_time set now = '${now.toISOString()}'`))
    setTo = now.getTime()
  }
}
