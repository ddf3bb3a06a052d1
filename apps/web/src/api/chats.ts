import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { type AgentRun, isAtWork } from './automation-runs.ts'
import type { FirstRows } from './first-rows.ts'
import { type Page, pageAddress, type PageOptions } from './pages.ts'
import type { Visualization } from './references.ts'
import { request } from './request.ts'
import type { ParameterValues } from './runs.ts'

/** The record of what an agent did and said, with the questions that people asked in between. */
export interface Chat {
  shortId: string
  title: string
  url: string
  createdAt: string
  updatedAt: string
  /** Grows with every change. */
  revision: number
  automation: { id: string; name: string } | null
  /** The latest: of the automation, or the answer to a question. */
  run: AgentRun | null
  /** Whether something can be asked now: a model is set up, and no agent is at work. */
  canAsk: boolean
  messages: Message[]
}

export type ListedChat = Omit<Chat, 'messages' | 'canAsk'>

/** What has changed since a revision. */
export type ChatNews = Pick<Chat, 'revision' | 'run' | 'canAsk' | 'messages'>

export type Message = MessageContent & {
  number: number
  createdAt: string
  /** Of the chat, when this message changed last. */
  revision: number
  /** Null for what a person wrote. */
  agentRunId: string | null
  user: { id: string; name: string } | null
}

export type MessageContent =
  | { kind: 'instruction' | 'question' | 'note'; text: string }
  /** Markdown: between the steps, at the end of an automation's run, at the end of an answer. */
  | { kind: 'text' | 'summary' | 'answer'; text: string }
  | QueryRunStep
  | ToolCallStep
  | ChartStep
  /** The agent saved a query under a permalink. */
  | { kind: 'reference'; shortId: string; title: string }
  | { kind: 'failure'; reason: string }

export interface QueryRunStep {
  kind: 'query_run'
  /** Null while, or when, it could not even be started. */
  runId: string | null
  reference: { shortId: string; title: string } | null
  sql: string | null
  parameterValues: ParameterValues
  status: 'pending' | 'running' | 'completed' | 'failed'
  rowCount: number | null
  preview: FirstRows | null
  failureReason: string | null
}

export interface ToolCallStep {
  kind: 'tool_call'
  tool: string
  /** The data connector whose tool it is; null for the service's own. */
  connector: string | null
  input: string
  status: 'running' | 'completed' | 'failed'
  output: string | null
}

export interface ChartStep {
  kind: 'chart'
  title: string
  runId: string
  visualization: Visualization
  preview: FirstRows | null
}

const chatPath = (shortId: string) => `/chats/${encodeURIComponent(shortId)}`

export const listChats = ({ signal, ...page }: PageOptions) =>
  request<Page<ListedChat>>(pageAddress('/chats', page), { ...(signal && { signal }) })

export const getChat = (shortId: string, signal: AbortSignal) => request<Chat>(chatPath(shortId), { signal })

export const chatEventsAddress = (shortId: string, after: number) =>
  `/app/api${chatPath(shortId)}/events?${new URLSearchParams({ after: String(after) })}`

export const askInChat = (shortId: string, text: string) =>
  request<Chat>(`${chatPath(shortId)}/messages`, { method: 'POST', body: { text } })

/** Stops the answer that an agent is at. */
export const stopAnswer = (shortId: string) => request<unknown>(`${chatPath(shortId)}/stop`, { method: 'POST' })

const lookEveryMs = 3000

export const chatsOptions = infiniteQueryOptions({
  queryKey: ['chats', 'list'],
  queryFn: ({ pageParam: cursor, signal }) => listChats({ signal, ...(cursor !== undefined && { cursor }) }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor,
  select: ({ pages }) => pages.flatMap(({ items }) => items),
  refetchInterval: ({ state }) =>
    state.data?.pages.some(({ items }) => items.some(({ run }) => run && isAtWork(run))) ? lookEveryMs : false,
})

/** The chat's stream tells what changes in it, so it is not asked for again by itself. */
export const chatOptions = (shortId: string) =>
  queryOptions({
    queryKey: ['chats', 'one', shortId],
    queryFn: async ({ signal, client, queryKey }) => {
      const answer = await getChat(shortId, signal)
      // What the stream told meanwhile may be newer.
      const known = client.getQueryData<Chat>(queryKey)
      return known ? withNews(known, answer) : answer
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** The chat with what has changed. News may come twice or late, from the stream and as the answer to a question. */
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
