import type { Clock } from '../../ports/clock.ts'
import type { Server } from './clickhouse-connection.ts'

const everyMs = 1000

/**
 * Tells how much of a statement is done, by the server's own estimate, until the signal aborts. It is asked for on
 * another connection: the headers that ClickHouse can send meanwhile cannot be read before the last of them has come.
 */
export async function tellProgress(options: {
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
    // A user who may not look at the processes is told nothing.
    const rows = await server.ask<{ read_rows: string; total_rows_approx: string }>(sql).catch(() => undefined)
    if (rows === undefined || signal.aborted) return
    const [row] = rows
    const total = Number(row?.total_rows_approx)
    if (total > 0) onProgress(Math.min(100, (100 * Number(row?.read_rows)) / total))
  }
}
