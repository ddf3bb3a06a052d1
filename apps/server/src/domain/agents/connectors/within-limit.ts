import type { Clock } from '../../../ports/clock.ts'
import { ConnectorFailure } from './connector-failure.ts'

/**
 * Runs `act` with a signal that aborts after `limitMs` or when the caller's signal aborts. The error thrown says which of the two it was.
 * Removes its listener from the caller's signal, which outlives many calls.
 */
export async function withinLimit<Answer>(
  { clock, limitMs, signal }: { clock: Clock; limitMs: number; signal: AbortSignal },
  act: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  signal.throwIfAborted()
  const cut = new AbortController()
  const over = new AbortController()
  // Without the reason: the SDK would send it to the server.
  const stop = () => cut.abort()
  let isLate = false
  signal.addEventListener('abort', stop)
  void clock.sleep(limitMs, over.signal).then(() => {
    if (over.signal.aborted) return
    isLate = true
    cut.abort()
  })
  try {
    return await act(cut.signal)
  } catch (error) {
    signal.throwIfAborted()
    if (isLate) throw new ConnectorFailure(`The server did not respond within ${limitMs / 1000} seconds.`)
    throw error
  } finally {
    over.abort()
    signal.removeEventListener('abort', stop)
  }
}
