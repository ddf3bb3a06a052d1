import type { Caller } from '../../model/caller.ts'
import type { Message } from '../../model/chat.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import { readLatestRuns } from '../../store/agent-runs/read-agent-runs.ts'
import { readMessages } from '../../store/chats/read-messages.ts'
import { type PublishedChatRow, readPublishedChatsPage } from '../../store/chats/read-published-chats-page.ts'
import type { Db } from '../../store/db.ts'
import { type PageDeps, readPage } from '../pagination/page.ts'
import { type ChatNews, getChatRow, isWorking } from './chats.ts'
import { treeOf } from './paths.ts'
import type { ChatWatcher } from './watch-chats.ts'

/** A chat as programs read it: all messages of all branches. */
export interface PublishedChat extends PublishedChatRow {
  messages: PublishedMessage[]
}

export interface PublishedMessage extends Message {
  /** For a question: the exchange that it follows. */
  follows?: number | null
  /** For the end of an answer: the numbers of the steps that led to it, if there are any. */
  steps?: number[]
}

/** Newest first; all pages show the moment of the first. */
export function listPublishedChats(
  deps: PageDeps & { db: Db },
  caller: Caller,
  request: PageRequest,
): Promise<Page<PublishedChatRow>> {
  return readPage(deps, { caller, list: 'chats', request, read: (page) => readPublishedChatsPage(deps.db, page) })
}

export async function getPublishedChat(deps: { db: Db }, caller: Caller, shortId: string): Promise<PublishedChat> {
  const chat = await getChatRow(deps, caller, shortId)
  // Messages are read last, so that an idle chat has all of them.
  const run = (await readLatestRuns(deps.db, [chat.id])).get(chat.id)
  const messages = await readMessages(deps.db, { chatId: chat.id })
  return {
    id: chat.id,
    shortId,
    title: chat.title,
    isAnswering: isWorking(run),
    createdAt: chat.createdAt,
    updatedAt: chat.stateChangedAt,
    messages: withSteps(withFollows(messages)),
  }
}

/** Whether an agent is working in the chat. */
export async function isChatAnswering(deps: { db: Db }, caller: Caller, shortId: string): Promise<boolean> {
  const { id } = await getChatRow(deps, caller, shortId)
  return isWorking((await readLatestRuns(deps.db, [id])).get(id))
}

const isEnd = ({ content: { kind } }: Message) => kind === 'answer' || kind === 'summary' || kind === 'failure'
const isAsked = ({ content: { kind } }: Message) => kind === 'question' || kind === 'instruction'

/** All steps since the question lead to its end: questions are answered one at a time. */
export function withSteps(messages: PublishedMessage[]): PublishedMessage[] {
  let steps: number[] = []
  return messages.map((message) => {
    if (isAsked(message)) steps = []
    else if (!isEnd(message)) steps.push(message.number)
    else if (steps.length > 0) return Object.assign(message, { steps })
    return message
  })
}

function withFollows(messages: Message[]): PublishedMessage[] {
  const { follows } = treeOf(
    messages.flatMap(({ number, content }) =>
      content.kind === 'question' ? [{ number, follows: content.follows }] : content.kind === 'instruction' ? [{ number }] : [],
    ),
  )
  return messages.map((message) =>
    message.content.kind === 'question' ? { ...message, follows: follows.get(message.number) ?? null } : message,
  )
}

/**
 * How far a program has followed a chat: it has the messages up to a revision and, of those that this revision changed, the ones up to
 * `number`; all of them if `number` is undefined. `isAnswering` is the status that it knows.
 */
export interface ChatPosition {
  revision: number
  number?: number | undefined
  isAnswering?: boolean | undefined
}

export type ChatEvent = { position: ChatPosition } & (
  | { kind: 'message'; message: PublishedMessage }
  | { kind: 'status'; isAnswering: boolean }
)

/** The messages and changes of status after a position, each once. The status follows the messages that it covers. */
export async function* followChat(
  deps: { chatWatcher: ChatWatcher },
  chat: { id: string; organizationId: string },
  options: { after: ChatPosition; signal: AbortSignal },
): AsyncGenerator<ChatEvent, void, undefined> {
  let position = options.after
  const afterRevision = position.number === undefined ? position.revision : Math.max(position.revision - 1, 0)
  for await (const news of deps.chatWatcher.watch(chat, { afterRevision, signal: options.signal })) {
    const update = eventsIn(news, position)
    position = update.position
    yield* update.events
  }
}

/**
 * The events of some news after a position, and the position after them. Resuming at the position of any event continues with the next
 * one. Messages are read after the revision and the status, so they may be newer: an idle chat has all its messages, and news that
 * follow may repeat some.
 */
export function eventsIn(news: ChatNews, after: ChatPosition): { events: ChatEvent[]; position: ChatPosition } {
  const isAnswering = isWorking(news.run)
  const messages = news.messages
    .filter((message) => isAfter(message, after))
    .toSorted((one, other) => one.revision - other.revision || one.number - other.number)
  const events = messages.map((message): ChatEvent => {
    const { revision, number } = message
    return { kind: 'message', message, position: { revision, number, isAnswering: after.isAnswering } }
  })
  const position = { revision: Math.max(news.revision, messages.at(-1)?.revision ?? 0), isAnswering }
  if (isAnswering !== after.isAnswering) events.push({ kind: 'status', isAnswering, position })
  return { events, position }
}

const isAfter = (message: PublishedMessage, { revision, number = Infinity }: ChatPosition): boolean =>
  message.revision > revision || (message.revision === revision && message.number > number)
