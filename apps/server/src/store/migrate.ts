import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { sql } from 'kysely'
import type { Clock } from '../ports/clock.ts'
import type { Db } from './db.ts'
import { locks } from './locks.ts'
import { patient } from './prepared.ts'

const folder = new URL('migrations/', import.meta.url)

/**
 * Brings the database to the newest schema: every file of `migrations/`, in the order of its name, once. All of it is one
 * transaction under a lock, so several processes may start together and a failure leaves nothing half done.
 */
export async function migrate(options: { db: Db; clock: Clock }): Promise<string[]> {
  const migrations = await readMigrations()
  return options.db.transaction().execute(async (tx) => {
    await sql`${patient} select pg_advisory_xact_lock(${sql.lit(locks.migration)})`.execute(tx)
    await sql`create table if not exists schema_migrations (
      name text primary key, hash text not null, applied_at timestamptz not null)`.execute(tx)
    const { rows } = await sql<{ name: string; hash: string }>`select name, hash from schema_migrations`.execute(tx)
    const applied = new Map(rows.map((row) => [row.name, row.hash]))
    const fresh: string[] = []
    for (const { name, text, hash } of migrations) {
      const before = applied.get(name)
      if (before === hash) continue
      if (before) throw new Error(`Migration ${name} was changed after it had been applied. Add a new one instead.`)
      for (const statement of splitStatements(text)) await sql`${patient} ${sql.raw(statement)}`.execute(tx)
      await sql`insert into schema_migrations values (${name}, ${hash}, ${options.clock.now()})`.execute(tx)
      fresh.push(name)
    }
    return fresh
  })
}

async function readMigrations() {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(new URL(name, folder), 'utf8')
      return { name, text, hash: createHash('sha256').update(text).digest('hex') }
    }),
  )
}

/** PGlite runs one statement a call. Ours end with `;` at a line's end; a function body stands between two `$$`. */
function splitStatements(text: string): string[] {
  const statements: string[] = []
  let statement = ''
  let inBody = false
  for (const line of text.split('\n')) {
    statement += `${line}\n`
    if (line.split('$$').length % 2 === 0) inBody = !inBody
    if (!inBody && line.trimEnd().endsWith(';') && !line.trimStart().startsWith('--')) {
      statements.push(statement)
      statement = ''
    }
  }
  if (statement.replaceAll(/^\s*--.*$/gm, '').trim()) throw new Error(`A migration ends without ";": ${statement}`)
  return statements
}
