import type { Clock } from '../../../ports/clock.ts'
import { ConnectorFailure } from './connector-failure.ts'

/**
 * Does something that must end when its signal aborts, and aborts it after `limitMs` or with the caller's signal. What
 * is thrown says which it was. Nothing stays at the caller's signal: it outlives many calls.
 */
export async function withinLimit<Answer>(
  { clock, limitMs, signal }: { clock: Clock; limitMs: number; signal: AbortSignal },
  act: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  signal.throwIfAborted()
  const cut = new AbortController()
  const over = new AbortController()
  // Without the reason: the SDK would tell it to the server.
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
    if (isLate) throw new ConnectorFailure(`It did not answer within ${limitMs / 1000} seconds.`)
    throw error
  } finally {
    over.abort()
    signal.removeEventListener('abort', stop)
  }
}
