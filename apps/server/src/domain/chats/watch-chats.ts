import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { readRevisions } from '../../store/chats/read-chats.ts'
import type { Db } from '../../store/db.ts'
import type { Wakeups } from '../../store/wakeups.ts'
import { watchWhileNeeded } from '../../work/watch-while-needed.ts'
import type { Chat } from '../../model/chat.ts'
import { type ChatNews, readNews } from './chats.ts'

/**
 * What happens in chats, for as long as somebody looks. All *viewers* in this process share one watcher, which reads the revisions
 * of all their chats in one statement: at the wake-up `chats`, and now and then by itself, since a wake-up may be lost. Only of a
 * chat that has changed anything else is read, once for all viewers who have seen the same of it.
 */
export interface ChatWatcher {
  /**
   * What is newer than `afterRevision`, at once if there is anything, and then each time there is. A slow viewer misses states in
   * between but never the newest. Ends when the signal aborts.
   */
  watch(
    chat: Pick<Chat, 'id' | 'organizationId'>,
    options: { afterRevision: number; signal: AbortSignal },
  ): AsyncGenerator<ChatNews, void, undefined>
}

const lookEveryMs = 5_000

interface Viewer {
  chatId: string
  /** The newest that is known to be there. */
  revision: number | undefined
  tell(): void
}

export function makeChatWatcher(deps: { db: Db; clock: Clock; log: Log; wakeups: Wakeups }): ChatWatcher {
  const viewers = new Set<Viewer>()
  const watch = watchWhileNeeded({
    ...deps,
    what: 'look for news in chats',
    channel: 'chats',
    everyMs: lookEveryMs,
    isNeeded: () => viewers.size > 0,
    async act() {
      const looking = [...viewers]
      const revisions = await readRevisions(deps.db, [...new Set(looking.map(({ chatId }) => chatId))])
      for (const viewer of looking) {
        viewer.revision = revisions.get(viewer.chatId)
        viewer.tell()
      }
    },
  })

  /** What is being read for one viewer is shared with those who want the same. */
  const reading = new Map<string, Promise<ChatNews>>()
  function newsOf(chat: Pick<Chat, 'id' | 'organizationId'>, afterRevision: number): Promise<ChatNews> {
    const key = `${chat.id} ${afterRevision}`
    const underWay = reading.get(key)
    if (underWay) return underWay
    const news = readNews(deps, chat, afterRevision).finally(() => reading.delete(key))
    reading.set(key, news)
    return news
  }

  return {
    async *watch(chat, { afterRevision, signal }) {
      let seen = afterRevision
      const viewer: Viewer = { chatId: chat.id, revision: undefined, tell: () => {} }
      const onAbort = () => viewer.tell()
      signal.addEventListener('abort', onAbort)
      viewers.add(viewer)
      watch.look()
      try {
        while (!signal.aborted) {
          // More than there is has been seen only of a store that went back to a backup since.
          if (viewer.revision !== undefined && seen > viewer.revision) seen = 0
          if (viewer.revision !== undefined && seen < viewer.revision) {
            const news = await newsOf(chat, seen)
            seen = news.revision
            viewer.revision = Math.max(viewer.revision, seen)
            yield news
            continue
          }
          const changed = Promise.withResolvers<void>()
          viewer.tell = changed.resolve
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
