import type { Clock } from '../../../ports/clock.ts'
import type { Log } from '../../../ports/log.ts'
import type { Db } from '../../../store/db.ts'
import type { Wakeups } from '../../../store/wakeups.ts'
import { watchWhileNeeded } from '../../../work/watch-while-needed.ts'
import { type NewListener, prolongListeners } from '../../../store/webhooks/event-listeners.ts'
import { findEventNews } from '../../../store/webhooks/find-event-news.ts'

/**
 * Checks for new events while anyone is listening. All *listeners* in this process share one *look*: a single statement, on the
 * wake-up `deliveries`, which every publisher sends, and periodically. An *audience* is the listeners of one organization; if the
 * look finds news for it, each of them reads on from its own position at its own pace.
 *
 * - A look's snapshot goes to the whole audience, including listeners that joined after the look began. A listener that joins first
 *   and then takes its own snapshot misses nothing in between.
 * - A slow listener gets only the newest snapshot, which includes everything that earlier ones showed.
 */
export interface EventWatcher {
  /** Joins at once; `next` resolves with the newest snapshot that shows something new, or undefined when listening is over. */
  join(listener: ListenerKey, signal: AbortSignal): { next(): Promise<string | undefined>; leave(): void }
}

type ListenerKey = Omit<NewListener, 'until'>

const lookEveryMs = 5_000
/** A listener that its process has not renewed for this long has died with the process. */
export const listenerLifetimeMs = 60_000
const prolongEveryMs = 20_000

interface Listener extends ListenerKey {
  newest: string | undefined
  isOver: boolean
  notify(): void
}

interface Audience {
  /** The snapshot of the last look; null before the first. */
  seen: string | null
  listeners: Set<Listener>
}

export function makeEventWatcher(deps: { db: Db; clock: Clock; log: Log; wakeups: Wakeups }): EventWatcher {
  const { db, clock } = deps
  const audiences = new Map<string, Audience>()
  let prolongedMs = clock.monotonicMs()

  async function look() {
    const looks = [...audiences].map(([organizationId, { seen }]) => ({ organizationId, seen }))
    for (const { organizationId, snapshot, hasNews, webhooksEnabled } of await findEventNews(db, looks)) {
      const audience = audiences.get(organizationId)
      if (!audience) continue
      audience.seen = snapshot
      for (const listener of audience.listeners) {
        if (hasNews) listener.newest = snapshot
        if (!webhooksEnabled) listener.isOver = true
        if (hasNews || !webhooksEnabled) listener.notify()
      }
    }
    if (clock.monotonicMs() - prolongedMs < prolongEveryMs) return
    prolongedMs = clock.monotonicMs()
    const listeners = Array.from(audiences.values(), (audience) => Array.from(audience.listeners)).flat()
    await prolongListeners(db, listeners, new Date(clock.now().getTime() + listenerLifetimeMs))
  }

  const watch = watchWhileNeeded({
    ...deps,
    what: 'check for new events',
    channel: 'deliveries',
    everyMs: lookEveryMs,
    isNeeded: () => audiences.size > 0,
    act: look,
  })

  return {
    join({ id, organizationId, keyId, eventTypes }, signal) {
      const key = { id, organizationId, keyId, eventTypes }
      const listener: Listener = { ...key, newest: undefined, isOver: signal.aborted, notify: () => {} }
      const end = () => {
        listener.isOver = true
        listener.notify()
      }
      signal.addEventListener('abort', end)
      const audience = audiences.get(organizationId) ?? { seen: null, listeners: new Set() }
      audiences.set(organizationId, audience)
      audience.listeners.add(listener)
      watch.look()
      return {
        async next() {
          while (!listener.isOver) {
            const { newest } = listener
            listener.newest = undefined
            if (newest !== undefined) return newest
            const notified = Promise.withResolvers<void>()
            listener.notify = notified.resolve
            await notified.promise
          }
          return undefined
        },
        leave() {
          signal.removeEventListener('abort', end)
          audience.listeners.delete(listener)
          if (audience.listeners.size > 0) return
          if (audiences.get(organizationId) === audience) audiences.delete(organizationId)
          if (audiences.size === 0) watch.look()
        },
      }
    },
  }
}
