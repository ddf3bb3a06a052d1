import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'

/** After this, the server is left to end the statement by its own limits, or to notice that nobody reads the result. */
const limitMs = 30_000

/**
 * Waits until a canceled statement no longer runs at its server, but not forever. Never fails: what went wrong is in the log, with
 * `statement` to identify it.
 */
export async function cancelWithinLimit(
  cancelAtServer: () => Promise<unknown>,
  { clock, log, statement }: { clock: Clock; log: Log; statement: { engine: string; jobId?: string } },
): Promise<void> {
  const limit = new AbortController()
  const expired = clock.sleep(limitMs, limit.signal).then(() => 'expired' as const)
  const canceled = cancelAtServer()
  try {
    if ((await Promise.race([canceled, expired])) === 'expired') log.warn(statement, 'statement cancellation not confirmed')
  } catch (error) {
    log.warn({ err: error, ...statement }, 'statement cancellation failed')
  } finally {
    canceled.catch(() => {})
    limit.abort()
  }
}
