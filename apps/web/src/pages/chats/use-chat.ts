import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { type Chat, type ChatNews, chatOptions, withNews } from '../../api/chats.ts'
import { followEvents } from '../../api/follow-events.ts'

/** A chat with live updates. */
export interface LiveChat {
  query: UseQueryResult<Chat>
  /** False while the event stream is disconnected. */
  isConnected: boolean
  /** Applies changes that a response already contains. */
  apply(news: ChatNews): void
}

export function useChat(shortId: string): LiveChat {
  const query = useQuery(chatOptions(shortId))
  const client = useQueryClient()
  const [isConnected, setIsConnected] = useState(true)
  const apply = useCallback(
    (news: ChatNews) => {
      client.setQueryData<Chat>(chatOptions(shortId).queryKey, (before) => before && withNews(before, news))
    },
    [client, shortId],
  )
  const isLoaded = query.data !== undefined
  useEffect(() => {
    if (!isLoaded) return
    return followEvents({
      stream: 'GET /chats/{shortId}/events',
      input: () => {
        const after = client.getQueryData(chatOptions(shortId).queryKey)?.revision ?? 0
        return { params: { shortId }, query: { after } }
      },
      event: 'chat',
      onData: apply,
      onConnectionChange: setIsConnected,
    })
  }, [client, shortId, isLoaded, apply])
  return { query, isConnected, apply }
}
