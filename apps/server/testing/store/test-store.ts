import { openAsBlob } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { sql } from 'kysely'
import { inject } from 'vitest'
import { type Clock, systemClock } from '../../src/ports/clock.ts'
import { openEmbedded, openPostgres, type Store } from '../../src/store/db.ts'
import { silentLog } from '../silent-log.ts'
import { copyTemplate } from './copy-template.ts'
import { TestConnections } from './test-connections.ts'
import { storeTimeOf } from './store-time.ts'

/** The two kinds of store. Tests must hold for both. */
export const storeKinds = ['pglite', 'postgres'] as const
export type StoreKind = (typeof storeKinds)[number]

/**
 * For tests of routes whose statements read and write single rows: only the server, which takes a third of the CPU time of the
 * embedded store. Statements for leases, lists and searches are tested on both, and so is every route by `http/isolation.test.ts`.
 * `TEST_STORES=all npm test` runs everything on both.
 */
export const routeStoreKinds: readonly StoreKind[] = process.env['TEST_STORES'] === 'all' ? storeKinds : ['postgres']

/**
 * The given kind if rules that don't depend on the store are tested on it, for `describe.each` and `test.each` within the tests of each
 * kind. Only for tests whose statements others run on both.
 */
export const ruleKindsOf = (kind: StoreKind): readonly StoreKind[] => routeStoreKinds.filter((each) => each === kind)

export type TestStore = Store & {
  /** Only set for a server. */
  url?: string
}

/**
 * Opens a migrated, empty store.
 *
 * Creating one takes half a second of CPU time, so the underlying database (on the server, or embedded) is emptied and reused for the
 * next test in this process. The store object is not reused: work left behind by a test finds it closed and cannot write into the
 * next one's. `isNew` requests an unused database, for example because of planner statistics. `clock` sets the store's time.
 */
export async function openTestStore(kind: StoreKind, options: TestStoreOptions = {}): Promise<TestStore> {
  return kind === 'pglite' ? openEmbeddedImage(options) : openCopyOfTemplate(options)
}

interface TestStoreOptions {
  isNew?: boolean
  clock?: Pick<Clock, 'now'>
}

interface ServerDatabase {
  url: string
  connections: TestConnections
}

const idle = { pglites: [] as PGlite[], databases: [] as ServerDatabase[] }

async function openEmbeddedImage({ isNew, clock }: TestStoreOptions): Promise<TestStore> {
  const used = isNew ? undefined : idle.pglites.pop()
  const pglite = used ?? (await PGlite.create({ loadDataDir: await openAsBlob(inject('pgliteImage')) }))
  const { lent, takeBack } = lend(pglite)
  const store = await openEmbedded({ pglite: lent, ...(clock && { beforeStatement: storeTimeOf(clock) }) })
  return {
    ...store,
    close: once(async () => {
      takeBack()
      // Both wait for a transaction that is still running.
      if (isNew) return pglite.close()
      await pglite.exec(`reset querypost.now; ${emptyAllTables}`)
      idle.pglites.push(pglite)
    }),
  }
}

async function openCopyOfTemplate({ isNew, clock }: TestStoreOptions): Promise<TestStore> {
  const used = isNew ? undefined : idle.databases.pop()
  const database = used ?? { url: await copyTemplate(inject('postgresUrl')), connections: new TestConnections() }
  const { url, connections } = database
  const beforeStatement = clock && storeTimeOf(clock)
  const makePool = connections.lend()
  const store = await openPostgres({ url: bySocket(url), clock: systemClock, log: silentLog, makePool, ...(beforeStatement && { beforeStatement }) })
  if (used) await sql.raw(emptyAllTables).execute(store.db)
  return {
    ...store,
    url,
    close: once(async () => {
      await store.close()
      if (isNew) return connections.close()
      idle.databases.push(database)
    }),
  }
}

/** Statements over a Unix socket take three quarters of the CPU time of those over TCP. */
const bySocket = (url: string) => `${url}?host=${encodeURIComponent(inject('postgresSocketFolder'))}`

const refuse = () => Promise.reject(new Error('The test has closed its store.'))

/** The same database until it is taken back; after that, every call rejects. */
function lend(pglite: PGlite): { lent: PGlite; takeBack(): void } {
  let isLent = true
  const lent = new Proxy(pglite, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target)
      if (typeof value !== 'function') return value
      return isLent ? (value.bind(target) as unknown) : refuse
    },
  })
  return {
    lent,
    takeBack() {
      isLent = false
    },
  }
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}

/**
 * Deleting the few rows of a test takes a tenth of the time of `truncate`, which creates a new file for every table and index. Large
 * tables are truncated anyway, because without vacuum deleted rows stay in them.
 */
const emptyAllTables = `
  set local session_replication_role = replica;
  do $$
  declare
    names text[] := array(
      select quote_ident(relname) from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_migrations'
        and pg_relation_size(oid) > 0);
    each text;
  begin
    if exists (select from unnest(names) as name where pg_relation_size(name::regclass) > 200000) then
      execute 'truncate ' || array_to_string(names, ', ') || ' restart identity cascade';
      return;
    end if;
    foreach each in array names loop
      execute 'delete from ' || each;
    end loop;
    perform setval(seqrelid, seqstart, false) from pg_sequence;
  end $$`
