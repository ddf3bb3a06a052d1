import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { systemClock } from '../ports/clock.ts'
import { openEmbedded, openPostgres, type Store } from '../store/db.ts'
import { silentLog } from './silent-log.ts'

/** The two places where the service keeps its state. What a test says of one must be true of the other. */
export const storeKinds = ['pglite', 'postgres'] as const
export type StoreKind = (typeof storeKinds)[number]

export type TestStore = Store & {
  /** There for a server only. */
  url?: string
}

/**
 * A migrated, empty store of its own.
 *
 * To begin takes half a second of a processor, so a store is emptied when it is closed and begins again for the next test in this
 * process. `isNew`: where it matters that nothing was ever done with it, as for the planner's statistics.
 */
export async function openTestStore(kind: StoreKind, { isNew = false } = {}): Promise<TestStore> {
  const openNew = kind === 'pglite' ? openEmbeddedImage : openCopyOfTemplate
  return isNew ? openNew() : reusable(idle[kind].pop() ?? (await openNew()), idle[kind])
}

const idle: Record<StoreKind, TestStore[]> = { pglite: [], postgres: [] }

async function openEmbeddedImage(): Promise<TestStore> {
  const pglite = await PGlite.create({ loadDataDir: await openAsBlob(inject('pgliteImage')) })
  return openEmbedded({ pglite })
}

async function openCopyOfTemplate(): Promise<TestStore> {
  const database = `test_${randomUUID().replaceAll('-', '')}`
  const serverUrl = inject('postgresUrl')
  const admin = new pg.Client(serverUrl)
  await admin.connect()
  await admin.query(`create database ${database} template querypost_template`)
  await admin.end()
  const url = new URL(serverUrl)
  url.pathname = `/${database}`
  return { ...(await openPostgres({ url: url.href, clock: systemClock, log: silentLog })), url: url.href }
}

function reusable(store: TestStore, whenClosed: TestStore[]): TestStore {
  let isOpen = true
  return {
    ...store,
    async close() {
      if (!isOpen) return
      isOpen = false
      await sql.raw(emptyAllTables).execute(store.db)
      whenClosed.push(store)
    },
  }
}

const emptyAllTables = `do $$ begin
  execute (select 'truncate ' || string_agg(quote_ident(tablename), ', ') || ' restart identity'
    from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations');
end $$`
