import { fileURLToPath } from 'node:url'
import { allRows } from '../duckdb/describe-duckdb.ts'
import { openStatementProcesses } from '../duckdb/duckdb-engine.ts'
import type { Engine } from '../engine.ts'
import type { FileOptions } from '../file-options.ts'
import { describeTables } from './describe-sqlite.ts'

const childFile = fileURLToPath(new URL('./sqlite-child.ts', import.meta.url))

/** The SQLite engine, on a file that someone uploaded. User SQL runs in child processes, as with DuckDB. */
export function openSqliteEngine(options: FileOptions): Engine {
  const { run, close } = openStatementProcesses({ ...options, childFile })
  return {
    dialect: 'sqlite',
    run,
    async test(signal) {
      const [[version]] = (await allRows(await run({ sql: 'select sqlite_version()', signal }))) as [[string]]
      return { version: `SQLite ${version}` }
    },
    describe: (signal) => describeTables((sql) => run({ sql, signal })),
    close,
  }
}
