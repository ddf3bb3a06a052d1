import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { parseMigration } from '@querypost/server/store'
import { faultsOf } from '@querypost/server/testing'
import type { World } from '../faults/world.ts'

/** Writes migrations of a simulated upgrade: a new column in every table, one file each, and a new table. Resolves with their folder. */
export async function writeNextMigrations(world: World): Promise<string> {
  const testTables = ['lease_log', 'claim_log', 'schema_migrations']
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname <> all (${testTables})`.execute(world.store.db)
  const folder = path.join(world.dataDirectory, 'next')
  await mkdir(folder)
  const texts = rows.map(({ name }) => `alter table ${name} add column of_next_version text not null default 'new';\n`)
  for (const [index, text] of ['create table of_next_version (id text primary key);\n', ...texts].entries()) {
    const name = `${9000 + index}-next.sql`
    expect(faultsOf(parseMigration(name, text), [])).toEqual([])
    await writeFile(path.join(folder, name), text)
  }
  return folder
}
