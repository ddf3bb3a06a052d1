/**
 * The sessions of one database.
 *
 * - A statement needs a *permit*. There are `maxConnections` of them; statements without one wait in order.
 * - A session is *lent* to the holder of a permit, then cleaned and kept *idle* until `spareIdleMs` have passed without a
 *   statement. A new session is opened only when none is idle, and a permit is released only after its session has been
 *   cleaned. So there are never more sessions than permits, except while one stops a statement, after which it replaces
 *   the stopped one.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Release } from '../../ports/semaphore.ts'
import { makeStatementPermits } from '../statement-permits.ts'
import { withTimeout } from './with-timeout.ts'
import type { Session } from './mysql-session.ts'

export interface SessionPool {
  borrow(signal: AbortSignal): Promise<Session>
  /** Resolves when the session is ready for the next statement, or closed. */
  giveBack(session: Session): Promise<void>
  /** An idle session on the same server, if there is one, for the service's own statements. */
  takeIdleBeside(session: Session): Session | undefined
  /** For a session that is clean because it only ran the service's own statements. */
  giveBackIdle(session: Session): void
  /** Closes a session that cannot be used again and releases its permit. */
  discard(session: Session): void
  /** Closes all idle sessions, which may have died unnoticed. */
  discardIdle(): void
  close(): Promise<void>
}

const spareIdleMs = 60_000
const cleanLimitMs = 5_000

export function sessionPool(options: {
  open: (signal: AbortSignal) => Promise<Session>
  maxConnections: number
  clock: Clock
}): SessionPool {
  const idle = new Map<Session, AbortController>()
  const lent = new Map<Session, Release>()
  const permits = makeStatementPermits(options.maxConnections)
  const closing = new AbortController()

  function release(session: Session): void {
    lent.get(session)?.()
    lent.delete(session)
  }

  /** Takes the most recently used one, so that the others can reach their idle timeout. */
  function takeIdle(isSuitable: (session: Session) => boolean): Session | undefined {
    const session = [...idle.keys()].findLast((one) => one.isAlive() && isSuitable(one))
    if (session) removeIdle(session)
    return session
  }

  function giveBackIdle(session: Session): void {
    if (closing.signal.aborted) return session.close()
    if (!session.isAlive()) return
    session.wasIdle = true
    const inUse = new AbortController()
    idle.set(session, inUse)
    void session.closed.then(() => idle.get(session) === inUse && removeIdle(session))
    void options.clock.sleep(spareIdleMs, inUse.signal).then(() => {
      if (!inUse.signal.aborted && removeIdle(session)) session.close()
    })
  }

  function removeIdle(session: Session): boolean {
    idle.get(session)?.abort()
    return idle.delete(session)
  }

  function discard(session: Session): void {
    session.destroy()
    release(session)
  }

  return {
    takeIdleBeside: (session) => takeIdle(({ facts }) => facts.identity === session.facts.identity),
    giveBackIdle,
    discard,
    async borrow(signal) {
      const permit = await permits.acquire(signal)
      try {
        const session = takeIdle(() => true) ?? (await options.open(AbortSignal.any([signal, closing.signal])))
        lent.set(session, permit)
        return session
      } catch (error) {
        permit()
        throw error
      }
    },
    async giveBack(session) {
      if (!lent.has(session)) return
      try {
        await withTimeout({ session, clock: options.clock, limitMs: cleanLimitMs }, session.clean())
      } catch {
        return discard(session)
      }
      if (!lent.has(session)) return
      giveBackIdle(session)
      release(session)
    },
    discardIdle() {
      for (const session of idle.keys()) {
        removeIdle(session)
        session.destroy()
      }
    },
    async close() {
      closing.abort()
      permits.close()
      const all = [...idle.keys(), ...lent.keys()]
      for (const session of idle.keys()) {
        removeIdle(session)
        session.close()
      }
      await Promise.all(all.map((session) => session.closed))
    },
  }
}
