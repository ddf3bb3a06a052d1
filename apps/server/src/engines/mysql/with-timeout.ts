import { abortAfter, type Clock } from '../../ports/clock.ts'
import type { Session } from './mysql-session.ts'

/**
 * Waits for work on a session, with a timeout: a network that silently drops the connection gives no error. On timeout the
 * session is destroyed, which fails the work.
 */
export async function withTimeout<T>(
  { session, clock, limitMs }: { session: Session; clock: Clock; limitMs: number },
  work: Promise<T>,
): Promise<T> {
  const limit = abortAfter(clock, limitMs)
  limit.signal.addEventListener('abort', () => session.destroy())
  try {
    return await work
  } finally {
    limit.cancel()
  }
}
