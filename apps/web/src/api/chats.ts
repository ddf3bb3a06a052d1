import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { isAtWork } from './automation-runs.ts'
import type { Chat, ChatNews } from './generated/schemas.ts'
import type { PageOptions } from './pages.ts'
import { request } from './request.ts'

export type { ChartStep, Chat, ChatNews, ListedChat, Message, QueryRunStep, ToolCallStep } from './generated/schemas.ts'

export const listChats = ({ signal, ...query }: PageOptions) => request('GET /chats', { query, signal })

export const getChat = (shortId: string, signal: AbortSignal) => request('GET /chats/{shortId}', { params: { shortId }, signal })

export const askInChat = (shortId: string, text: string) =>
  request('POST /chats/{shortId}/messages', { params: { shortId }, body: { text } })

/** Stops the answer that an agent is writing. */
export const stopAnswer = (shortId: string) => request('POST /chats/{shortId}/stop', { params: { shortId } })

const pollMs = 3000

export const chatsOptions = infiniteQueryOptions({
  queryKey: ['chats', 'list'],
  queryFn: ({ pageParam: cursor, signal }) => listChats({ signal, cursor }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor,
  select: ({ pages }) => pages.flatMap(({ items }) => items),
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ items }) => items.some(({ run }) => run && isAtWork(run))) ? pollMs : false,
})

/** Never stale, because the chat's event stream delivers all changes. */
export const chatOptions = (shortId: string) =>
  queryOptions({
    queryKey: ['chats', 'one', shortId],
    queryFn: async ({ signal, client, queryKey }) => {
      const answer = await getChat(shortId, signal)
      // The stream may have delivered newer messages while the request was running.
      const known = client.getQueryData<Chat>(queryKey)
      return known ? withNews(known, answer) : answer
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Merges changes into a chat. The same change may arrive twice or late, from the stream and in the response to a question. */
export function withNews(chat: Chat, news: ChatNews): Chat {
  const messages = new Map(chat.messages.map((message) => [message.number, message]))
  for (const message of news.messages) {
    const known = messages.get(message.number)
    if (!known || known.revision <= message.revision) messages.set(message.number, message)
  }
  const inOrder = [...messages.values()].sort((one, other) => one.number - other.number)
  if (news.revision < chat.revision) return { ...chat, messages: inOrder }
  return { ...chat, revision: news.revision, run: news.run, canAsk: news.canAsk, messages: inOrder }
}
