import type { Clock } from '../../ports/clock.ts'
import type { Log } from '../../ports/log.ts'
import { readRevisions } from '../../store/chats/read-chats.ts'
import type { Db } from '../../store/db.ts'
import type { Wakeups } from '../../store/wakeups.ts'
import type { Chat } from './chat.ts'
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
  const { db, clock, log, wakeups } = deps
  const viewers = new Set<Viewer>()
  let isWatching = false
  let hasNews = false
  let pause = new AbortController()

  function look() {
    hasNews = true
    pause.abort('look')
  }

  async function keepWatching() {
    isWatching = true
    const stopListening = wakeups.listen('chats', look)
    while (viewers.size > 0) {
      hasNews = false
      const looking = [...viewers]
      try {
        const revisions = await readRevisions(db, [...new Set(looking.map(({ chatId }) => chatId))])
        for (const viewer of looking) {
          viewer.revision = revisions.get(viewer.chatId)
          viewer.tell()
        }
      } catch (error) {
        // The last viewer may leave because the store closes.
        if (viewers.size > 0) log.error({ err: error }, 'could not look for news in chats; trying again')
      }
      if (hasNews || viewers.size === 0) continue
      pause = new AbortController()
      await clock.sleep(lookEveryMs, pause.signal)
    }
    stopListening()
    isWatching = false
  }

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
      if (isWatching) look()
      else void keepWatching()
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
        if (viewers.size === 0) look()
      }
    },
  }
}
