import { sql } from 'kysely'
import type { Clock } from '../ports/clock.ts'
import type { Db, Tx } from './db.ts'
import { type Applied, judgeUnknown, SchemaTooNew } from './migrate.ts'
import { readMigrations } from './migration-files.ts'

/** What an operator wants to know of a store. Looking changes nothing: what is pending stays so. */
export interface StoreFacts {
  /** PostgreSQL's own, such as `18.1`. */
  version: string
  /** By how much the server's clock is ahead of this machine's; half of the way there and back is allowed for. */
  clockAheadMs: number
  migrations: MigrationFacts
}

export interface MigrationFacts {
  appliedCount: number
  /** Of this version, and not applied yet: the next start does. */
  pending: string[]
  /** Applied by a newer version. */
  unknown: string[]
  /** Applied with another content than the file has now. */
  changed: string[]
  /** Why this version cannot work on the schema, where it cannot. */
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
    tooNew: whyTooNew(() => judgeUnknown(migrations, applied)),
  }
}

/** None where no version has ever started on it. */
async function readApplied(db: Db | Tx): Promise<Applied[]> {
  const { rows: found } = await sql<{ isThere: boolean }>`
    select to_regclass('schema_migrations') is not null as "isThere"`.execute(db)
  if (!found[0]!.isThere) return []
  const { rows } = await sql<Applied>`
    select name, hash, to_jsonb(schema_migrations) ->> 'contracts' as contracts from schema_migrations order by name`.execute(
    db,
  )
  return rows
}

function whyTooNew(judge: () => unknown): string | null {
  try {
    judge()
    return null
  } catch (error) {
    if (error instanceof SchemaTooNew) return error.message
    throw error
  }
}
