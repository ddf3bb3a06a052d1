import { type Kysely, sql } from 'kysely'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import type { Db } from './db.ts'
import { locks } from './locks.ts'
import { type Migration, readMigrations } from './migration-files.ts'
import { withoutDeadline } from './prepared.ts'
import type { Schema } from './schema.ts'

/**
 * Migrating brings the database to the newest schema: every file of `migrations/`, in the order of its name, once.
 * Processes of the version before are at work meanwhile, and several of the new one may start together.
 *
 * - One process at a time migrates, under a lock. The others look now and then whether it is free: one that waited
 *   within a statement would hold up an index that is built concurrently, which waits for all statements that began
 *   before it.
 * - A file is one transaction: it is applied whole or not at all, and what it locks is free again before the next one
 *   begins.
 * - A statement that does not get its lock within `lockMs` gives up, and its file is tried again later: all who come
 *   after it wait behind it.
 * - Migrations that this version does not *know* are left alone: a newer version has applied them. They only add to
 *   the schema, so this version can work on it, unless one of them *contracts* what this version needs
 *   (migration-files.ts).
 */
export interface Migrated {
  /** What this call has applied. */
  applied: string[]
  /** What a newer version has applied. */
  unknown: string[]
}

export class SchemaTooNew extends Error {
  override readonly name = 'SchemaTooNew'
}

/** More than the second after which PostgreSQL has its own vacuuming yield to who waits for the table. */
const lockMs = 1500
const tryAgainMs = 1000
const triesPerFile = 120
const lookEveryMs = 100

export interface Applied {
  name: string
  hash: string
  contracts: string | null
}

export async function migrate(options: {
  db: Db
  clock: Clock
  log?: Pick<Log, 'warn'>
  migrations?: Migration[]
}): Promise<Migrated> {
  const { clock, migrations = await readMigrations() } = options
  return options.db.connection().execute(async (connection) => {
    await lock(connection, clock)
    try {
      const before = await readApplied(connection)
      const unknown = judgeUnknown(migrations, before)
      const hashes = new Map(before.map(({ name, hash }) => [name, hash]))
      const applied: string[] = []
      for (const migration of migrations) {
        const hash = hashes.get(migration.name)
        if (hash === migration.hash) continue
        if (hash) throw new Error(`Migration ${migration.name} was changed after it had been applied. Add a new one instead.`)
        await applyPatiently({ ...options, connection }, migration)
        applied.push(migration.name)
      }
      return { applied, unknown }
    } finally {
      // Fails only with the connection, and the lock ends with that too.
      await sql`select pg_advisory_unlock(${sql.lit(locks.migration)})`.execute(connection).catch(() => {})
    }
  })
}

type Connection = Kysely<Schema>

async function lock(connection: Connection, clock: Clock): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ isMine: boolean }>`
      select pg_try_advisory_lock(${sql.lit(locks.migration)}) as "isMine"`.execute(connection)
    if (rows[0]!.isMine) return
    await clock.sleep(lookEveryMs)
  }
}

async function readApplied(connection: Connection): Promise<Applied[]> {
  await sql`create table if not exists schema_migrations (
    name text primary key, hash text not null, applied_at timestamptz not null)`.execute(connection)
  await sql`alter table schema_migrations add column if not exists contracts text`.execute(connection)
  const { rows } = await sql<Applied>`select name, hash, contracts from schema_migrations order by name`.execute(connection)
  return rows
}

/** Throws `SchemaTooNew` where this version cannot work on the schema. */
export function judgeUnknown(migrations: Migration[], applied: Applied[]): string[] {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = applied.filter(({ name }) => !known.has(name))
  const tooNew = unknown.find(({ contracts }) => contracts !== null && !known.has(contracts))
  if (tooNew) {
    throw new SchemaTooNew(
      `The database has the schema of a newer version: its migration ${tooNew.name} has taken away what this version needs. ` +
        `Start a version that knows ${tooNew.contracts}, or restore the database from before the upgrade.`,
    )
  }
  return unknown.map(({ name }) => name)
}

async function applyPatiently(
  deps: { connection: Connection; clock: Clock; log?: Pick<Log, 'warn'> },
  migration: Migration,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await apply(deps, migration)
    } catch (error) {
      if (!isYielding(error) || tries === triesPerFile) throw error
      deps.log?.warn({ err: error, migration: migration.name }, 'what a migration changes is in use; trying again')
      await deps.clock.sleep(tryAgainMs)
    }
  }
}

async function apply(
  { connection, clock }: { connection: Connection; clock: Clock },
  migration: Migration,
): Promise<void> {
  const { name, hash, contracts, statements } = migration
  const carryOut = async (at: Connection) => {
    for (const statement of statements) await sql`${withoutDeadline} ${sql.raw(statement)}`.execute(at)
  }
  if (migration.isWithoutTransaction) await carryOut(connection)
  await connection.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(tx)
    if (!migration.isWithoutTransaction) await carryOut(tx)
    await sql`
      insert into schema_migrations (name, hash, applied_at, contracts)
      values (${name}, ${hash}, ${clock.now()}, ${contracts})`.execute(tx)
  })
}

/** The lock was not to be had in time, or two waited for each other. */
const isYielding = (error: unknown) => ['55P03', '40P01'].includes((error as { code?: string }).code ?? '')
