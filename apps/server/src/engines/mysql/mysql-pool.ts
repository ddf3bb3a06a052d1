/**
 * The sessions of one database.
 *
 * - A statement needs a *permit*; there are `maxConnections`, and those who find none wait in the order they came.
 * - A session is *lent* to the holder of a permit, then cleaned and kept as *idle* until `spareIdleMs` have passed
 *   without a statement. It is dialled only when none is idle, and its permit is released only when it has been
 *   cleaned: there are never more sessions than permits, but for one that stops a statement and then takes the place
 *   of the stopped one.
 */
import type { Clock } from '../../ports/clock.ts'
import type { Release } from '../../ports/semaphore.ts'
import { makeStatementPermits } from '../statement-permits.ts'
import { withPatience } from './patience.ts'
import type { Session } from './mysql-session.ts'

export interface SessionPool {
  borrow(signal: AbortSignal): Promise<Session>
  /** Resolves when the session is ready for the next statement, or closed. */
  giveBack(session: Session): Promise<void>
  /** An idle session on the same server, if there is one, for a statement of our own. */
  takeIdleBeside(session: Session): Session | undefined
  /** For one that is clean: after a statement of our own, or because it was opened for one. */
  giveBackIdle(session: Session): void
  /** For a session that is of no use any more: releases its permit. */
  discard(session: Session): void
  /** Those that may have died unnoticed, all at once. */
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

  /** The one used last is the warmest; the others get a chance to grow old. */
  function takeIdle(isFit: (session: Session) => boolean): Session | undefined {
    const session = [...idle.keys()].findLast((one) => one.isAlive() && isFit(one))
    if (session) takeOut(session)
    return session
  }

  function giveBackIdle(session: Session): void {
    if (closing.signal.aborted) return session.close()
    if (!session.isAlive()) return
    session.wasIdle = true
    const inUse = new AbortController()
    idle.set(session, inUse)
    void session.closed.then(() => idle.get(session) === inUse && takeOut(session))
    void options.clock.sleep(spareIdleMs, inUse.signal).then(() => {
      if (!inUse.signal.aborted && takeOut(session)) session.close()
    })
  }

  function takeOut(session: Session): boolean {
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
        await withPatience({ session, clock: options.clock, limitMs: cleanLimitMs }, session.clean())
      } catch {
        return discard(session)
      }
      if (!lent.has(session)) return
      giveBackIdle(session)
      release(session)
    },
    discardIdle() {
      for (const session of idle.keys()) {
        takeOut(session)
        session.destroy()
      }
    },
    async close() {
      closing.abort()
      permits.close()
      const all = [...idle.keys(), ...lent.keys()]
      for (const session of idle.keys()) {
        takeOut(session)
        session.close()
      }
      await Promise.all(all.map((session) => session.closed))
    },
  }
}
