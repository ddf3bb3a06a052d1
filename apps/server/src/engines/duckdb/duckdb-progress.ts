import duckdb, { type Connection } from '@duckdb/node-bindings'
import { systemClock } from '../../ports/clock.ts'
import { encodeJsonFrame, frameKind } from './protocol.ts'

const everyMs = 1000

/** Sends the statement's progress every second until `work` has ended. DuckDB returns a negative value when it has no estimate. */
export async function withProgressReports<Value>(
  options: { connection: Connection; send: (frame: Uint8Array) => void },
  work: () => Promise<Value>,
): Promise<Value> {
  const ended = new AbortController()
  void (async () => {
    for (;;) {
      await systemClock.sleep(everyMs, ended.signal)
      if (ended.signal.aborted) return
      const { percentage } = duckdb.query_progress(options.connection)
      if (percentage >= 0) options.send(encodeJsonFrame(frameKind.progress, Math.min(percentage, 100)))
    }
  })()
  try {
    return await work()
  } finally {
    ended.abort()
  }
}
