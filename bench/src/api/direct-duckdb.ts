/** Runs the same SQL directly in DuckDB, without the service. In a child process, because it takes gigabytes. */
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { answerRequests, startChild } from '../load/child.ts'
import { elapsedMs } from '../statistics.ts'

export type Way = 'rows as JSON' | 'copy as JSON' | 'copy as JSON, gzip' | 'chunks only'

interface Request {
  file: string
  sql: string
  way: Way
  /** The target file of a copy. */
  target: string
}

const connections = new Map<string, DuckDBConnection>()

async function connectionTo(file: string): Promise<DuckDBConnection> {
  const open = connections.get(file)
  if (open) return open
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' })
  const connection = await instance.connect()
  connections.set(file, connection)
  return connection
}

const ways: Record<Way, (connection: DuckDBConnection, request: Request) => Promise<void>> = {
  async 'rows as JSON'(connection, { sql }) {
    const reader = await connection.runAndReadAll(sql)
    const parts = JSON.stringify(reader.getRowsJson())
    if (parts.length < 3) throw new Error('The result has no rows.')
  },
  async 'copy as JSON'(connection, { sql, target }) {
    await connection.run(`copy (${sql}) to '${target}' (format json)`)
  },
  async 'copy as JSON, gzip'(connection, { sql, target }) {
    await connection.run(`copy (${sql}) to '${target}' (format json, compression gzip)`)
  },
  async 'chunks only'(connection, { sql }) {
    const result = await connection.stream(sql)
    let rowCount = 0
    for (;;) {
      const chunk = await result.fetchChunk()
      if (!chunk || chunk.rowCount === 0) break
      rowCount += chunk.rowCount
    }
    if (rowCount === 0) throw new Error('The result has no rows.')
  },
}

async function run(request: Request): Promise<number> {
  const connection = await connectionTo(request.file)
  return elapsedMs(() => ways[request.way](connection, request))
}

export const startDirect = () => startChild<Request, number>(new URL(import.meta.url))

if (process.send && process.argv[1] === import.meta.filename) answerRequests(run)
