import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openTestStore } from '../testing/test-store.ts'
import type { Store } from './db.ts'

/** What a connection that PostgreSQL ends does to the others: nothing. */
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

test('a connection lost inside a transaction fails that transaction and nothing else', async () => {
  const transaction = await store.db.startTransaction().execute()
  await sql`select 1`.execute(transaction)
  await endConnections('querypost')
  await expect(sql`select 1`.execute(transaction)).rejects.toThrow(/terminat|connection/i)
  await transaction
    .rollback()
    .execute()
    .catch(() => {})
  const { rows } = await sql<{ n: number }>`select 1 as n`.execute(store.db)
  expect(rows).toEqual([{ n: 1 }])
})

test('the connection that listens for wake-ups is opened again, and its listeners look', async () => {
  const looks: (() => void)[] = []
  const nextLook = () => new Promise<void>((resolve) => looks.push(resolve))
  store.wakeups.listen('runs', () => looks.splice(0).forEach((resolve) => resolve()))
  const afterLoss = nextLook()
  await endConnections('querypost wake-ups')
  await afterLoss
  // From another process: only LISTEN can bring it here.
  const fromAfar = nextLook()
  await admin.query(`select pg_notify('querypost_wakeup', 'runs')`)
  await expect(fromAfar).resolves.toBeUndefined()
})
