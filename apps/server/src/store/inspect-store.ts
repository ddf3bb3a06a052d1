import { sql } from 'kysely'
import type { Clock } from '../ports/clock.ts'
import type { Db, Tx } from './db.ts'
import { type Applied, findUnknownMigrations, SchemaTooNew } from './migrate.ts'
import { readMigrations } from './migration-files.ts'

/** Facts about a store for an operator. Reading them changes nothing; pending migrations stay pending. */
export interface StoreFacts {
  /** PostgreSQL's version, such as `18.1`. */
  version: string
  /** How far the server's clock is ahead of this machine's, corrected by half the round trip. */
  clockAheadMs: number
  migrations: MigrationFacts
}

export interface MigrationFacts {
  appliedCount: number
  /** Known to this version and not applied yet. The next start applies them. */
  pending: string[]
  /** Applied by a newer version. */
  unknown: string[]
  /** Applied with different content than the file has now. */
  changed: string[]
  /** Why this version cannot work with the schema; null if it can. */
  tooNew: string | null
}

export async function inspectStore({ db, clock }: { db: Db | Tx; clock: Clock }): Promise<StoreFacts> {
  const { rows } = await sql<{ version: string }>`select current_setting('server_version') as version`.execute(db)
  return {
    version: rows[0]!.version.split(' ')[0]!,
    clockAheadMs: await compareClocks({ db, clock }),
    migrations: await inspectMigrations(db),
  }
}

async function compareClocks({ db, clock }: { db: Db | Tx; clock: Clock }): Promise<number> {
  const beforeMs = clock.now().getTime()
  const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(
    db,
  )
  const afterMs = clock.now().getTime()
  return Math.round(rows[0]!.ms - (beforeMs + afterMs) / 2)
}

async function inspectMigrations(db: Db | Tx): Promise<MigrationFacts> {
  const migrations = await readMigrations()
  const applied = await readApplied(db)
  const hashes = new Map(applied.map(({ name, hash }) => [name, hash]))
  const known = new Set(migrations.map(({ name }) => name))
  return {
    appliedCount: migrations.filter(({ name }) => hashes.has(name)).length,
    pending: migrations.filter(({ name }) => !hashes.has(name)).map(({ name }) => name),
    unknown: applied.filter(({ name }) => !known.has(name)).map(({ name }) => name),
    changed: migrations.filter(({ name, hash }) => (hashes.get(name) ?? hash) !== hash).map(({ name }) => name),
    tooNew: tooNewReason(() => findUnknownMigrations(migrations, applied)),
  }
}

/** Empty if no version has ever started on this database. */
async function readApplied(db: Db | Tx): Promise<Applied[]> {
  const { rows: found } = await sql<{ exists: boolean }>`
    select to_regclass('schema_migrations') is not null as "exists"`.execute(db)
  if (!found[0]!.exists) return []
  const { rows } = await sql<Applied>`
    select name, hash, to_jsonb(schema_migrations) ->> 'contracts' as contracts from schema_migrations order by name`.execute(
    db,
  )
  return rows
}

function tooNewReason(check: () => unknown): string | null {
  try {
    check()
    return null
  } catch (error) {
    if (error instanceof SchemaTooNew) return error.message
    throw error
  }
}
