/**
 * The database as user SQL sees it: one file, read-only, without other files and extensions.
 *
 * - The file is opened as immutable: nothing is written beside it, whatever its journal mode.
 * - The *authorizer*, which SQLite asks about everything a statement would do, allows reading tables, calling functions and a few
 *   pragmas that describe tables. ATTACH, VACUUM INTO, writes, and pragmas that change something or name files are denied.
 * - The schema is not trusted, because it comes with the file.
 */
import { realpathSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { constants, DatabaseSync } from 'node:sqlite'

const { SQLITE_OK, SQLITE_DENY, SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE, SQLITE_PRAGMA } = constants

const describingPragmas = new Set(['table_info', 'table_xinfo', 'table_list', 'index_list', 'index_info', 'index_xinfo', 'foreign_key_list'])
/** Node's SQLite has none of them except the first. */
const forbiddenFunctions = new Set(['load_extension', 'readfile', 'writefile', 'edit', 'fts3_tokenizer', 'fileio_ls', 'lsmode'])

function authorize(action: number, first: string | null, second: string | null): number {
  if (action === SQLITE_SELECT || action === SQLITE_READ || action === SQLITE_RECURSIVE) return SQLITE_OK
  if (action === SQLITE_FUNCTION) return forbiddenFunctions.has((second ?? '').toLowerCase()) ? SQLITE_DENY : SQLITE_OK
  if (action === SQLITE_PRAGMA) return describingPragmas.has((first ?? '').toLowerCase()) ? SQLITE_OK : SQLITE_DENY
  return SQLITE_DENY
}

// An older Node has SQLite, but no way to close the sandbox. Its import fails, as on a Node without SQLite (sqlite-child.ts).
for (const name of ['enableDefensive', 'setAuthorizer']) {
  if (!(name in DatabaseSync.prototype)) throw new Error(`The SQLite of this Node lacks ${name}.`)
}

export function openSandbox({ file, memoryLimitMb }: { file: string; memoryLimitMb: number }): DatabaseSync {
  const url = pathToFileURL(realpathSync(file))
  url.search = '?mode=ro&immutable=1'
  const database = new DatabaseSync(url, { readOnly: true, allowExtension: false, enableDoubleQuotedStringLiterals: false })
  try {
    database.enableDefensive(true)
    database.exec(`pragma trusted_schema = off; pragma query_only = on; pragma cell_size_check = on; pragma temp_store = memory;
      pragma hard_heap_limit = ${memoryLimitMb * 1024 * 1024}; select count(*) from sqlite_schema`)
    database.setAuthorizer(authorize)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}
