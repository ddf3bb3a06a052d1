import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import type { Db } from '../../store/db.ts'
import { asViewer, currentViewer, type Viewer as StoreViewer } from '../../store/access/viewer.ts'
import { countUnread, type NotificationOwner } from '../../store/notifications/notifications-table.ts'
import type { Wakeups } from '../../store/wakeups.ts'
import { watchWhileNeeded } from '../../work/watch-while-needed.ts'

/**
 * Live counts of unread notifications while people are viewing them. All *viewers* in this process share one watcher, which counts
 * for everyone in one statement: on the wake-up `notifications`, and periodically, since a wake-up may be lost. It is active only
 * while there is a viewer.
 */
export interface UnreadWatcher {
  /** Yields the count at once, and then whenever it has changed; a slow viewer gets only the newest. Ends when the signal aborts. */
  watch(reader: NotificationOwner, signal: AbortSignal): AsyncGenerator<number, void, undefined>
}

const lookEveryMs = 5_000

interface Viewer {
  reader: NotificationOwner
  /** Undefined for someone who may see everything. */
  access: StoreViewer | undefined
  count: number | undefined
  notify(): void
}

const keyOf = ({ organizationId, userId }: NotificationOwner) => `${organizationId} ${userId}`

export function makeUnreadWatcher(deps: { db: Db; clock: Clock; log: Log; wakeups: Wakeups }): UnreadWatcher {
  const viewers = new Set<Viewer>()
  const watch = watchWhileNeeded({
    ...deps,
    what: 'count unread notifications',
    channel: 'notifications',
    everyMs: lookEveryMs,
    isNeeded: () => viewers.size > 0,
    async act() {
      const looking = [...viewers]
      // Count once per person, however many tabs they have open.
      const readers = new Map(looking.filter(({ access }) => !access).map(({ reader }) => [keyOf(reader), reader]))
      const counts = await countUnread(deps.db, [...readers.values()])
      const countOf = new Map([...readers.keys()].map((key, index) => [key, counts[index]!]))
      for (const viewer of looking) {
        const { access, reader } = viewer
        viewer.count = access ? (await asViewer(access, () => countUnread(deps.db, [reader])))[0]! : countOf.get(keyOf(reader))!
        viewer.notify()
      }
    },
  })

  return {
    async *watch(reader, signal) {
      let sent: number | undefined
      const viewer: Viewer = { reader, access: currentViewer(), count: undefined, notify: () => {} }
      const onAbort = () => viewer.notify()
      signal.addEventListener('abort', onAbort)
      viewers.add(viewer)
      watch.look()
      try {
        while (!signal.aborted) {
          if (viewer.count !== sent && viewer.count !== undefined) {
            sent = viewer.count
            yield sent
            continue
          }
          const changed = Promise.withResolvers<void>()
          viewer.notify = changed.resolve
          await changed.promise
        }
      } finally {
        signal.removeEventListener('abort', onAbort)
        viewers.delete(viewer)
        if (viewers.size === 0) watch.look()
      }
    },
  }
}
