import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { needsReload, withKnownMessages, withNews } from '../../api/chat-changes.ts'
import { type Chat, type ChatNews, chatOptions } from '../../api/chats.ts'
import { followEvents } from '../../api/follow-events.ts'

/** A chat with live updates. */
export interface LiveChat {
  query: UseQueryResult<Chat>
  /** False while the event stream is disconnected. */
  isConnected: boolean
  /** Changes the chat in the cache. */
  change(change: (chat: Chat) => Chat): void
}

/** Follows a chat on the path to a leaf; without one, on the path to the newest question. */
export function useChat(shortId: string, leaf: number | undefined): LiveChat {
  const options = chatOptions(shortId, leaf)
  const query = useQuery(options)
  const client = useQueryClient()
  const [isConnected, setIsConnected] = useState(true)
  const change = useCallback(
    (make: (chat: Chat) => Chat) => {
      client.setQueryData<Chat>(chatOptions(shortId, leaf).queryKey, (before) => before && make(before))
    },
    [client, shortId, leaf],
  )
  const isLoaded = query.data !== undefined
  useEffect(() => {
    if (!isLoaded) return
    const { queryKey } = chatOptions(shortId, leaf)
    const apply = (news: ChatNews) => {
      const chat = client.getQueryData(queryKey)
      if (!chat) return
      const isElsewhere = needsReload(chat, news, leaf !== undefined)
      change((before) => (isElsewhere ? withKnownMessages(before, news) : withNews(before, news)))
      if (isElsewhere) void client.invalidateQueries({ queryKey })
    }
    return followEvents({
      stream: 'GET /chats/{shortId}/events',
      input: () => ({ params: { shortId }, query: { after: client.getQueryData(queryKey)?.revision ?? 0 } }),
      event: 'chat',
      onData: apply,
      onConnectionChange: setIsConnected,
    })
  }, [client, shortId, leaf, isLoaded, change])
  return { query, isConnected, change }
}
