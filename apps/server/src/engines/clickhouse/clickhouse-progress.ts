import type { Clock } from '../../ports/clock.ts'
import type { Server } from './clickhouse-connection.ts'

const everyMs = 1000

/**
 * Reports how much of a statement is done, as the server estimates it, until the signal aborts. Polls on a second
 * connection: ClickHouse can also send progress as response headers, but those cannot be read until the last one arrives.
 */
export async function reportProgress(options: {
  server: Server
  queryId: string
  clock: Clock
  signal: AbortSignal
  onProgress: (percent: number) => void
}): Promise<void> {
  const { server, queryId, clock, signal, onProgress } = options
  const sql = `SELECT read_rows, total_rows_approx FROM system.processes WHERE query_id = '${queryId}'`
  for (;;) {
    await clock.sleep(everyMs, signal)
    if (signal.aborted) return
    // A user without access to the process list gets no progress.
    const rows = await server.query<{ read_rows: string; total_rows_approx: string }>(sql).catch(() => undefined)
    if (rows === undefined || signal.aborted) return
    const [row] = rows
    const total = Number(row?.total_rows_approx)
    if (total > 0) onProgress(Math.min(100, (100 * Number(row?.read_rows)) / total))
  }
}
