/**
 * Writes one Parquet file and exits: `node parquet-child.ts <request>`. It gets none of the service's environment, and its DuckDB
 * cannot read or write outside its own folder. Errors go to stderr. When the service dies, stdin closes and this process ends.
 */
import { rmSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import duckdb from '@duckdb/node-bindings'
import { parquetStatements, type ParquetRequest } from './parquet-statement.ts'

// Flush now, because the process may be killed at the end.
flushCompileCache()
const request = JSON.parse(process.argv[2]!) as ParquetRequest

process.stdin.resume()
process.stdin.on('close', () => {
  rmSync(request.folder, { recursive: true, force: true })
  process.kill(process.pid, 'SIGKILL')
})

const connection = await duckdb.connect(await duckdb.open(':memory:'))
try {
  for (const statement of parquetStatements(request)) await duckdb.query(connection, statement)
  process.exit(0)
} catch (error) {
  process.stderr.write(String(error), () => process.exit(1))
}
