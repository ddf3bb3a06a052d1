import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { currentViewer } from '../../store/access/viewer.ts'
import { readRevisions } from '../../store/chats/read-chats.ts'
import type { Db } from '../../store/db.ts'
import type { Wakeups } from '../../store/wakeups.ts'
import { watchWhileNeeded } from '../../work/watch-while-needed.ts'
import type { Chat } from '../../model/chat.ts'
import { type ChatNews, readNews } from './chats.ts'

/**
 * Live updates of chats while someone is viewing them. All *viewers* in this process share one watcher, which reads the revisions
 * of all their chats in one statement: on the wake-up `chats`, and periodically, since a wake-up may be lost. More is read only for
 * a chat that has changed, once for all viewers at the same revision.
 */
export interface ChatWatcher {
  /**
   * Yields what is newer than `afterRevision`: at once if there is anything, and then whenever there is. A slow viewer may miss
   * intermediate states but never the newest one. Ends when the signal aborts or the chat is deleted.
   */
  watch(
    chat: Pick<Chat, 'id' | 'organizationId'>,
    options: { afterRevision: number; signal: AbortSignal },
  ): AsyncGenerator<ChatNews, void, undefined>
}

const lookEveryMs = 5_000

interface Viewer {
  chatId: string
  /** The newest known revision; undefined until it is known, null if the chat has been deleted. */
  revision: number | undefined | null
  notify(): void
}

export function makeChatWatcher(deps: { db: Db; clock: Clock; log: Log; wakeups: Wakeups }): ChatWatcher {
  const viewers = new Set<Viewer>()
  const watch = watchWhileNeeded({
    ...deps,
    what: 'check chats for news',
    channel: 'chats',
    everyMs: lookEveryMs,
    isNeeded: () => viewers.size > 0,
    async act() {
      const looking = [...viewers]
      const revisions = await readRevisions(deps.db, [...new Set(looking.map(({ chatId }) => chatId))])
      for (const viewer of looking) {
        viewer.revision = revisions.get(viewer.chatId) ?? null
        viewer.notify()
      }
    },
  })

  /** A read in progress is shared by all viewers that need the same. */
  const reading = new Map<string, Promise<ChatNews | undefined>>()
  function newsOf(chat: Pick<Chat, 'id' | 'organizationId'>, afterRevision: number): Promise<ChatNews | undefined> {
    const key = `${chat.id} ${afterRevision}`
    // What one viewer may read, another may not.
    if (currentViewer()) return readNews(deps, chat, afterRevision)
    const inProgress = reading.get(key)
    if (inProgress) return inProgress
    const news = readNews(deps, chat, afterRevision).finally(() => reading.delete(key))
    reading.set(key, news)
    return news
  }

  return {
    async *watch(chat, { afterRevision, signal }) {
      let seen = afterRevision
      const viewer: Viewer = { chatId: chat.id, revision: undefined, notify: () => {} }
      const onAbort = () => viewer.notify()
      signal.addEventListener('abort', onAbort)
      viewers.add(viewer)
      watch.look()
      try {
        while (!signal.aborted) {
          if (viewer.revision === null) return
          // A viewer can be ahead only if the store has been restored from a backup.
          if (viewer.revision !== undefined && seen > viewer.revision) seen = 0
          if (viewer.revision !== undefined && seen < viewer.revision) {
            const news = await newsOf(chat, seen)
            if (!news) return
            seen = news.revision
            viewer.revision = Math.max(viewer.revision, seen)
            yield news
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
