import { useEffect, useRef, useState } from 'react'
import { type Chat, chatEventsAddress, type ChatNews, getChat } from '../../api/chats.ts'
import { followEvents } from '../../api/follow-events.ts'
import { type Loaded, useLoaded } from '../../api/use-loaded.ts'
import { withNews } from './chat-state.ts'

/** A chat as it happens. */
export interface LiveChat {
  chat: Loaded<Chat>
  /** False while the connection that tells what happens is lost. */
  isConnected: boolean
  reload(): void
  /** Takes in what an answer of the service already tells. */
  take(news: ChatNews): void
}

export function useChat(shortId: string): LiveChat {
  const { loaded, reload } = useLoaded(shortId, (signal) => getChat(shortId, signal))
  const [chat, setChat] = useState<Chat>()
  const [isConnected, setIsConnected] = useState(true)
  const seenRevision = useRef(0)

  function take(news: ChatNews): void {
    seenRevision.current = Math.max(seenRevision.current, news.revision)
    setChat((before) => before && withNews(before, news))
  }

  useEffect(() => {
    if (loaded.status !== 'ready') return
    setChat((before) => before ?? loaded.value)
    take(loaded.value)
  }, [loaded])

  const isThere = chat !== undefined
  useEffect(() => {
    if (!isThere) return
    return followEvents<ChatNews>({
      address: () => chatEventsAddress(shortId, seenRevision.current),
      event: 'chat',
      onData: take,
      onConnectionChange: setIsConnected,
    })
    // `take` is a new function on every render, and does the same each time.
  }, [shortId, isThere])

  const notThereYet: Loaded<Chat> = loaded.status === 'failed' ? loaded : { status: 'loading' }
  return { chat: chat ? { status: 'ready', value: chat } : notThereYet, isConnected, reload, take }
}
