/**
 * Writes one Parquet file and ends: `node parquet-child.ts <request>`, with nothing of the service in its environment and a folder of its own, beyond which its DuckDB
 * can neither read nor write. Whatever goes wrong is said on stderr. When the service dies, stdin closes and this process with it.
 */
import { rmSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import duckdb from '@duckdb/node-bindings'
import { parquetStatements, type ParquetRequest } from './parquet-statement.ts'

// At the end it would be too late: it may be killed.
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
