import { abortAfter, type Clock } from '../../ports/clock.ts'
import type { Session } from './mysql-session.ts'

/**
 * Waits for work on a session, but not for ever: a network that has swallowed the connection says nothing of it. When
 * the time is over the session is hung up on, which ends the work with an error.
 */
export async function withPatience<T>(
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
