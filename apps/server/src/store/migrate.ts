import { type Kysely, sql } from 'kysely'
import type { Clock } from '../ports/clock.ts'
import type { Log } from '../ports/log.ts'
import { dropVisibleSchema, makeVisibleSchema } from './access/make-visible-schema.ts'
import type { Db } from './db.ts'
import { locks } from './locks.ts'
import { type Migration, readMigrations } from './migration-files.ts'
import { withoutDeadline } from './prepared.ts'
import type { Schema } from './schema.ts'

/**
 * Migrates the database to the newest schema: applies every file of `migrations/` once, ordered by name. Processes of the
 * previous version keep running during a migration, and several of the new version may start at the same time.
 *
 * - One process migrates at a time, under a lock. The others poll for it: waiting inside a statement would block a
 *   concurrent index build, which waits for all statements that began before it.
 * - A file is one transaction: it is applied as a whole or not at all, and its locks are released before the next file
 *   begins.
 * - A statement that does not get its lock within `lockMs` gives up, and its file is retried later, because all other
 *   statements would queue behind it.
 * - Migrations *unknown* to this version were applied by a newer one and are left alone. They only add to the schema, so
 *   this version can work with it, unless one of them *contracts* something this version needs (migration-files.ts).
 */
export interface Migrated {
  /** Applied by this call. */
  applied: string[]
  /** Applied by a newer version. */
  unknown: string[]
}

export class SchemaTooNew extends Error {
  override readonly name = 'SchemaTooNew'
}

/** Longer than the second after which PostgreSQL's autovacuum yields to a statement that waits for the table. */
const lockMs = 1500
const retryMs = 1000
const triesPerFile = 120
const pollMs = 100

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
      const unknown = findUnknownMigrations(migrations, before)
      const hashes = new Map(before.map(({ name, hash }) => [name, hash]))
      const applied: string[] = []
      for (const migration of migrations) {
        const hash = hashes.get(migration.name)
        if (hash === migration.hash) continue
        if (hash) throw new Error(`Migration ${migration.name} was changed after it was applied. Add a new one instead.`)
        if (migration.contracts !== null) await dropVisibleSchema(connection)
        await applyWithRetries({ ...options, connection }, migration)
        applied.push(migration.name)
      }
      if (!options.migrations) {
        const names = [...unknown, ...migrations.map(({ name }) => name)]
        await makeVisibleSchema(connection, { migrations: names }).catch(warnOfMissingPrivilege(options.log))
      }
      return { applied, unknown }
    } finally {
      // Fails only if the connection is lost, which also releases the lock.
      await sql`select pg_advisory_unlock(${sql.lit(locks.migration)})`.execute(connection).catch(() => {})
    }
  })
}

type Connection = Kysely<Schema>

async function lock(connection: Connection, clock: Clock): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ isAcquired: boolean }>`
      select pg_try_advisory_lock(${sql.lit(locks.migration)}) as "isAcquired"`.execute(connection)
    if (rows[0]!.isAcquired) return
    await clock.sleep(pollMs)
  }
}

async function readApplied(connection: Connection): Promise<Applied[]> {
  await sql`create table if not exists schema_migrations (
    name text primary key, hash text not null, applied_at timestamptz not null)`.execute(connection)
  await sql`alter table schema_migrations add column if not exists contracts text`.execute(connection)
  const { rows } = await sql<Applied>`select name, hash, contracts from schema_migrations order by name`.execute(connection)
  return rows
}

/** Names of applied migrations that this version does not know. Throws `SchemaTooNew` if it cannot work with the schema. */
export function findUnknownMigrations(migrations: Migration[], applied: Applied[]): string[] {
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = applied.filter(({ name }) => !known.has(name))
  const tooNew = unknown.find(({ contracts }) => contracts !== null && !known.has(contracts))
  if (tooNew) {
    throw new SchemaTooNew(
      `The database has the schema of a newer version: its migration ${tooNew.name} removed something this version needs. ` +
        `Start a version that includes ${tooNew.contracts}, or restore a backup from before the upgrade.`,
    )
  }
  return unknown.map(({ name }) => name)
}

async function applyWithRetries(
  deps: { connection: Connection; clock: Clock; log?: Pick<Log, 'warn'> },
  migration: Migration,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await apply(deps, migration)
    } catch (error) {
      if (!isLockConflict(error) || tries === triesPerFile) throw error
      deps.log?.warn({ err: error, migration: migration.name }, 'migration blocked by locks, retrying')
      await deps.clock.sleep(retryMs)
    }
  }
}

async function apply(
  { connection, clock }: { connection: Connection; clock: Clock },
  migration: Migration,
): Promise<void> {
  const { name, hash, contracts, statements } = migration
  const runStatements = async (at: Connection) => {
    for (const statement of statements) await sql`${withoutDeadline} ${sql.raw(statement)}`.execute(at)
  }
  if (migration.isWithoutTransaction) await runStatements(connection)
  await connection.transaction().execute(async (tx) => {
    await sql`set local lock_timeout = ${sql.lit(lockMs)}`.execute(tx)
    if (!migration.isWithoutTransaction) await runStatements(tx)
    await sql`
      insert into schema_migrations (name, hash, applied_at, contracts)
      values (${name}, ${hash}, ${clock.now()}, ${contracts})`.execute(tx)
  })
}

/** Only restricting access needs the schema (domain/access/access-levels.ts). */
const warnOfMissingPrivilege = (log: Pick<Log, 'warn'> | undefined) => (error: unknown) => {
  if ((error as { code?: string }).code !== '42501') throw error
  log?.warn({ err: error }, 'database role lacks the privilege CREATE: access cannot be restricted')
}

/** Lock timeout or deadlock. */
const isLockConflict = (error: unknown) => ['55P03', '40P01'].includes((error as { code?: string }).code ?? '')
