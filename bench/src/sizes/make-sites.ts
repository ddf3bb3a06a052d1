import { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { systemClock } from '@querypost/server/ports'
import { migrate, openEmbedded, openPostgres, type Store } from '@querypost/server/store'
import { cheapHash, createDatabase, silentLog, startPostgresServer } from '@querypost/server/testing'
import { fillStore, type RunStatement } from './fill-store.ts'
import { makePartitions } from './make-partitions.ts'
import { openSite, password, type Site } from './site.ts'
import type { Sizes } from './sizes.ts'

export type StoreKind = 'postgres' | 'embedded'

/** Two filled stores of one kind, each with a service on it. */
export async function makeSites(
  kind: StoreKind,
  sizes: Record<'large' | 'small', Sizes>,
): Promise<{ sites: Record<'large' | 'small', Site>; close(): Promise<void> }> {
  const stops: (() => Promise<void>)[] = []
  const close = async () => {
    for (const stop of stops.splice(0).toReversed()) await stop()
  }
  try {
    const server = kind === 'postgres' ? await startPostgresServer({ durable: true }) : undefined
    if (server) stops.push(server.stop)
    const makeSite = async (name: 'large' | 'small') => {
      const store = await (server ? fillServer(await createDatabase(server.url), name, sizes[name]) : fillEmbedded(name, sizes[name]))
      const site = await openSite(store)
      stops.push(site.close)
      return site
    }
    return { sites: { small: await makeSite('small'), large: await makeSite('large') }, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function fillServer(url: string, name: string, sizes: Sizes): Promise<Store> {
  const store = await openPostgres({ url, clock: systemClock, log: silentLog })
  await migrate({ db: store.db, clock: systemClock })
  await makePartitions(store, new Date())
  const client = new pg.Client(url)
  // When a statement fails, the server is stopped before this client has ended.
  client.on('error', () => {})
  await client.connect()
  await client.query(`set maintenance_work_mem = '512MB'; set synchronous_commit = off`)
  await fill(name, sizes, async (text) => {
    const { rows, rowCount } = await client.query<Record<string, unknown>>(text)
    return { rows, rowCount: rowCount ?? 0 }
  })
  await client.end()
  return store
}

async function fillEmbedded(name: string, sizes: Sizes): Promise<Store> {
  const pglite = await PGlite.create()
  const store = await openEmbedded({ pglite })
  await migrate({ db: store.db, clock: systemClock })
  await makePartitions(store, new Date())
  await fill(name, sizes, async (text) => {
    const { rows, affectedRows = 0 } = await pglite.query<Record<string, unknown>>(text)
    return { rows, rowCount: affectedRows }
  })
  return store
}

/** At full size, a table takes minutes. */
const worthSayingMs = 20_000

async function fill(name: string, sizes: Sizes, run: RunStatement): Promise<void> {
  const startedMs = performance.now()
  const counts = new Map<string, number>()
  let lastMs = startedMs
  const say = (what: string) => {
    const [tookMs, now] = [performance.now() - lastMs, performance.now()]
    if (tookMs > worthSayingMs) console.log(`${name} store: ${what} in ${(tookMs / 1000).toFixed(0)} s`)
    lastMs = now
  }
  await fillStore(run, {
    sizes,
    now: new Date(),
    passwordHash: cheapHash(password),
    onTable(table, rows) {
      counts.set(table, (counts.get(table) ?? 0) + rows)
      say(`${rows.toLocaleString('en-US')} rows of ${table}`)
    },
    onStep: say,
  })
  const { rows: size } = await run(`select pg_size_pretty(pg_database_size(current_database())) as text`)
  const text = ['webhook_events', 'webhook_deliveries', 'runs', 'query_references', 'automations', 'webhook_endpoints', 'organizations']
    .map((table) => `${table} ${counts.get(table)!.toLocaleString('en-US')}`)
  console.log(`${name} store filled in ${((performance.now() - startedMs) / 1000).toFixed(0)} s, ${String(size[0]!['text'])}: ${text.join(', ')}`)
}
