import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { isAtWork } from './automation-runs.ts'
import type { Chat } from './generated/schemas.ts'
import { reloadedChat } from './chat-changes.ts'
import type { Body } from './operations.ts'
import type { PageOptions } from './pages.ts'
import { request } from './request.ts'

export type {
  Branch,
  ChartStep,
  Chat,
  ChatNews,
  EarlierMessages,
  Figure,
  ListedChat,
  KnowledgeMessage,
  ListedFeedback,
  MarkdownMessage,
  Message,
  QueryRunStep,
  QuestionMessage,
  ToolCallStep,
} from './generated/schemas.ts'

export const listChats = ({ signal, ...query }: PageOptions) => request('GET /chats', { query, signal })

/** Starts a chat with a question. */
export const startChat = (body: Body<'POST /chats'>) => request('POST /chats', { body })

/** Asks a question in a chat, after the exchange that it `follows`. */
export const askInChat = (shortId: string, body: Body<'POST /chats/{shortId}/messages'>) =>
  request('POST /chats/{shortId}/messages', { params: { shortId }, body })

/** Stops the answer that an agent is writing. */
export const stopAnswer = (shortId: string) => request('POST /chats/{shortId}/stop', { params: { shortId } })

/** The exchanges before a question, on the path to a leaf. */
export const getEarlierMessages = (shortId: string, query: { before: number; leaf: number | undefined }) =>
  request('GET /chats/{shortId}/messages', { params: { shortId }, query })

export const renameChat = (shortId: string, title: string) => request('PATCH /chats/{shortId}', { params: { shortId }, body: { title } })

export const deleteChat = (shortId: string) => request('DELETE /chats/{shortId}', { params: { shortId } })

export type GivenFeedback = Body<'PUT /chats/{shortId}/messages/{number}/feedback'>

export const giveFeedback = (shortId: string, number: number, body: GivenFeedback) =>
  request('PUT /chats/{shortId}/messages/{number}/feedback', { params: { shortId, number: String(number) }, body })

export const withdrawFeedback = (shortId: string, number: number) =>
  request('DELETE /chats/{shortId}/messages/{number}/feedback', { params: { shortId, number: String(number) } })

const pollMs = 3000

export const chatListKey = ['chats', 'list'] as const

export const chatsOptions = infiniteQueryOptions({
  queryKey: chatListKey,
  queryFn: ({ pageParam: cursor, signal }) => listChats({ signal, cursor }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor,
  select: ({ pages }) => pages.flatMap(({ items }) => items),
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ items }) => items.some(({ run }) => run && isAtWork(run))) ? pollMs : false,
})

/** The newest few, for the home page. */
export const newestChatsOptions = (limit: number) =>
  queryOptions({
    queryKey: [...chatListKey, 'newest', limit],
    queryFn: async ({ signal }) => (await listChats({ signal, limit })).items,
  })

/**
 * A chat on the path to a leaf: a question, or the newest one if undefined. Never stale, because the chat's event stream delivers all
 * changes.
 */
export const chatOptions = (shortId: string, leaf?: number) =>
  queryOptions({
    queryKey: ['chats', 'one', shortId, leaf ?? 'newest'],
    queryFn: async ({ signal, client, queryKey }) => {
      const answer = await request('GET /chats/{shortId}', { params: { shortId }, query: { leaf }, signal })
      const known = client.getQueryData<Chat>(queryKey)
      return known ? reloadedChat(known, answer) : answer
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** What people said about answers, newest first. Only for admins. */
export const chatFeedbackOptions = infiniteQueryOptions({
  queryKey: ['chat feedback'],
  queryFn: ({ pageParam: cursor, signal }) => request('GET /chat-feedback', { query: { cursor, limit: 10 }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor,
  select: ({ pages }) => pages.flatMap(({ items }) => items),
})
