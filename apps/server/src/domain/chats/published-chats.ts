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
    messages: withFollows(messages),
  }
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
    const events = eventsIn(news, position)
    position = { revision: news.revision, isAnswering: isWorking(news.run) }
    yield* events
  }
}

/** Resuming at the position of any of these events continues with the next one. */
export function eventsIn(news: ChatNews, after: ChatPosition): ChatEvent[] {
  const isAnswering = isWorking(news.run)
  const messages = news.messages
    // A message changed since the revision was read comes with the next news.
    .filter(({ revision }) => revision <= news.revision)
    .filter(({ revision, number }) => revision !== after.revision || number > (after.number ?? Infinity))
    .toSorted((one, other) => one.revision - other.revision || one.number - other.number)
  const events = messages.map((message): ChatEvent => {
    const { revision, number } = message
    return { kind: 'message', message, position: { revision, number, isAnswering: after.isAnswering } }
  })
  if (isAnswering !== after.isAnswering) events.push({ kind: 'status', isAnswering, position: { revision: news.revision, isAnswering } })
  return events
}
