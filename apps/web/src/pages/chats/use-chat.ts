import { useQuery, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useEffect, useState } from 'react'
import { type Chat, type ChatNews, chatOptions, withNews } from '../../api/chats.ts'
import { followEvents } from '../../api/follow-events.ts'

/** A chat as it happens. */
export interface LiveChat {
  query: UseQueryResult<Chat>
  /** False while the connection that tells what happens is lost. */
  isConnected: boolean
  /** Takes in what an answer of the service already tells. */
  take(news: ChatNews): void
}

export function useChat(shortId: string): LiveChat {
  const query = useQuery(chatOptions(shortId))
  const client = useQueryClient()
  const [isConnected, setIsConnected] = useState(true)
  const take = useCallback(
    (news: ChatNews) => {
      client.setQueryData<Chat>(chatOptions(shortId).queryKey, (before) => before && withNews(before, news))
    },
    [client, shortId],
  )
  const isThere = query.data !== undefined
  useEffect(() => {
    if (!isThere) return
    return followEvents({
      stream: 'GET /chats/{shortId}/events',
      input: () => {
        const after = client.getQueryData(chatOptions(shortId).queryKey)?.revision ?? 0
        return { params: { shortId }, query: { after } }
      },
      event: 'chat',
      onData: take,
      onConnectionChange: setIsConnected,
    })
  }, [client, shortId, isThere, take])
  return { query, isConnected, take }
}
