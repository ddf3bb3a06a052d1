import { sql } from 'kysely'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { openTestStore } from '../../testing/store/test-store.ts'
import { openPostgres, type Store } from './db.ts'
import { prepared, withoutDeadline } from './prepared.ts'
import { StoreUnavailable } from './store-unavailable.ts'

/** A connection closed by PostgreSQL does not affect the others. */
let store: Store & { url?: string }
let admin: pg.Client

beforeEach(async () => {
  store = await openTestStore('postgres')
  admin = new pg.Client(store.url)
  await admin.connect()
})
afterEach(async () => {
  await admin.end()
  await store.close()
})

const endConnections = (name: string) =>
  admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = $1 and pid <> pg_backend_pid()`,
    [name],
  )

test('a connection lost inside a transaction fails only that transaction', async () => {
  const transaction = await store.db.startTransaction().execute()
  await sql`select 1`.execute(transaction)
  await endConnections('querypost')
  const later = await sql`select 1`.execute(transaction).catch((error: unknown) => error)
  await transaction
    .rollback()
    .execute()
    .catch(() => {})
  expect(later).toBeInstanceOf(StoreUnavailable)
  const { rows } = await sql<{ n: number }>`select 1 as n`.execute(store.db)
  expect(rows).toEqual([{ n: 1 }])
})

test('the wake-up connection is reopened, and its listeners are woken', async () => {
  const wakes: (() => void)[] = []
  const nextWake = () => new Promise<void>((resolve) => wakes.push(resolve))
  store.wakeups.listen('runs', () => wakes.splice(0).forEach((resolve) => resolve()))
  const afterLoss = nextWake()
  await endConnections('querypost wake-ups')
  await afterLoss
  // Sent by another process, so it can only arrive through LISTEN.
  const fromOtherProcess = nextWake()
  await admin.query(`select pg_notify('querypost_wakeup', 'runs')`)
  await expect(fromOtherProcess).resolves.toBeUndefined()
})

test('a wake-up reaches the listeners of its own process once, and those of other processes', async () => {
  const other = await openPostgres({ url: store.url!, maxConnections: 1, clock: manualClock(), log: silentLog })
  let ownWakes = 0
  store.wakeups.listen('runs', () => (ownWakes += 1))
  const woken = new Promise<void>((resolve) => void other.wakeups.listen('runs', () => resolve()))
  store.wakeups.wake('runs')
  await woken
  // Notifications arrive in order, so this one arrives after an echo of the first would.
  const next = new Promise<void>((resolve) => void store.wakeups.listen('mail', () => resolve()))
  other.wakeups.wake('mail')
  await next
  expect(ownWakes).toBe(1)
  await other.close()
})

test.each([
  ['claims of deliveries', 'claimDb', 1],
  ['claims and ends of runs', 'runDb', 2],
] as const)('%s share few connections, which plan a prepared statement once', async (_, name, connectionCount) => {
  const db = store[name]
  const readBackend = () => sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  const pids = (await Promise.all([readBackend(), readBackend(), readBackend()])).map(({ rows }) => rows[0]!.pid)
  expect(new Set(pids).size).toBe(connectionCount)
  for (let value = 0; value < 3; value += 1) await sql`${prepared} select ${value}::integer as value`.execute(db)
  const { rows } = await sql<{ generic: number; custom: number }>`
    select generic_plans as generic, custom_plans as custom from pg_prepared_statements
    where statement like '%as value%' and statement not like '%pg_prepared_statements%'`.execute(db)
  expect(rows).toEqual([{ generic: 3, custom: 0 }])
})

/** A proxy that can go silent without closing its connections, like a host that vanishes. */
async function startProxy(to: URL) {
  const connections = new Set<Socket>()
  let isSilent = false
  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname)
    connections.add(near).add(far)
    near.on('data', (bytes) => isSilent || far.write(bytes))
    far.on('data', (bytes) => isSilent || near.write(bytes))
    for (const socket of [near, far]) socket.on('error', () => {}).on('close', () => near.destroy() && far.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const url = new URL(to)
  url.port = String((server.address() as AddressInfo).port)
  return {
    url: url.href,
    fallSilent: (silent: boolean) => (isSilent = silent),
    close() {
      for (const socket of connections) socket.destroy()
      server.close()
    },
  }
}

test('a statement to a silent server fails after a minute, and the next one gets a new connection', async () => {
  const clock = manualClock()
  const proxy = await startProxy(new URL(store.url!))
  const away = await openPostgres({ url: proxy.url, maxConnections: 1, clock, log: silentLog })
  proxy.fallSilent(true)
  const given = expect(sql`select 1`.execute(away.db)).rejects.toThrow('PostgreSQL did not answer in time')
  const waiting = sql`${withoutDeadline} select 1`.execute(away.db).then(
    () => 'answered',
    () => 'lost',
  )
  while (clock.sleepers() === 0) await new Promise((resolve) => setImmediate(resolve))
  await clock.advance(60_000)
  await given
  proxy.fallSilent(false)
  expect(await waiting).toBe('answered')
  expect((await sql<{ n: number }>`select 2 as n`.execute(away.db)).rows).toEqual([{ n: 2 }])
  await away.close()
  proxy.close()
})
