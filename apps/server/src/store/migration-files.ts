import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'

/**
 * A migration is a file of SQL statements. Comments on their own line control how it is applied:
 *
 * - `-- without a transaction`: each statement runs on its own, because PostgreSQL requires that (for an index built
 *   *concurrently*, without blocking writes). An interrupted migration starts again with its first statement, so every
 *   statement must be repeatable.
 * - `-- contracts 0012-name.sql: why`: removes something needed by processes that do not know the migration
 *   `0012-name.sql`. Such a process refuses to start on the schema from then on.
 * - `-- beside older versions: why`, above a statement: the statement is safe for processes of the previous version,
 *   although the rules (migration-rules.test.ts) cannot tell.
 */
export interface Migration {
  name: string
  text: string
  hash: string
  statements: string[]
  isWithoutTransaction: boolean
  /** The migration that a process must know to work with the schema from here on. */
  contracts: string | null
}

const folder = new URL('migrations/', import.meta.url)

/** In the order they are applied. */
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

/** PGlite runs one statement per call. Statements end with `;` at the end of a line; a function body is between two `$$`. */
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
  if (statement.replaceAll(/^\s*--.*$/gm, '').trim()) throw new Error(`A migration does not end with ";": ${statement}`)
  return statements
}
