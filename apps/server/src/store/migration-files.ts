import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/**
 * A migration is a file of SQL statements. Comments that stand alone on a line tell how it is to be treated:
 *
 * - `-- without a transaction`: each statement is carried out by itself, because PostgreSQL wants it so (an index
 *   that is built *concurrently*, beside those who write). What is cut short begins with the first statement again,
 *   so each must bear that.
 * - `-- contracts 0012-name.sql: why`: takes away what processes need that do not know the migration `0012-name.sql`.
 *   Such a process refuses to start on the schema from then on.
 * - `-- beside older versions: why`, above a statement: processes of the version before go on well although the rules
 *   (migration-rules.test.ts) cannot see that.
 */
export interface Migration {
  name: string
  text: string
  hash: string
  statements: string[]
  isWithoutTransaction: boolean
  /** The migration that a process must know to work on the schema from here on. */
  contracts: string | null
}

const folder = new URL('migrations/', import.meta.url)

/** In the order in which they are applied. */
export async function readMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(names.map(async (name) => parseMigration(name, await readFile(new URL(name, folder), 'utf8'))))
}

export function parseMigration(name: string, text: string): Migration {
  return {
    name,
    text,
    hash: createHash('sha256').update(text).digest('hex'),
    statements: splitStatements(text),
    isWithoutTransaction: /^-- without a transaction\b/m.test(text),
    contracts: /^-- contracts (\S+\.sql): \S/m.exec(text)?.[1] ?? null,
  }
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
