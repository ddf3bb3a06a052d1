import type { Clock } from '../../ports/clock.ts'
import { readLatestRuns } from '../../store/agent-runs/read-agent-runs.ts'
import { hasModelSettings } from '../../store/agents/has-model-settings.ts'
import { readFeedbackOf } from '../../store/chats/feedback-table.ts'
import { type ChatRow, findChat, readChatsPage, readRevisions } from '../../store/chats/read-chats.ts'
import { readMessages } from '../../store/chats/read-messages.ts'
import type { Db } from '../../store/db.ts'
import type { AgentRun } from '../../model/agent-run.ts'
import { shortIdPattern } from '../ids.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import { readListPage } from '../pagination/list-page.ts'
import type { Caller } from '../../model/caller.ts'
import { Refusal } from '../refusal.ts'
import type { Chat, Feedback, Message } from '../../model/chat.ts'
import { type Branch, branchesOn, type ChatTree, isPlaced, lastExchanges, newestFrom, pathTo, rangesOf } from './paths.ts'
import { readNewestExchanges } from './read-newest-exchanges.ts'

export interface ListedChat extends ChatRow {
  /** Its latest agent run. */
  run: AgentRun | null
}

/** What has changed in a chat since a revision. */
export interface ChatNews {
  revision: number
  run: AgentRun | null
  /** Whether a question can be asked now: a model is set up and no agent is working. */
  canAsk: boolean
  messages: ShownMessage[]
}

/** A message with the exchange that it follows, if it is a question. */
export interface ShownMessage extends Message {
  follows?: number | null
}

/** The newest exchanges of one path through a chat. */
export interface ChatView extends ListedChat, ChatNews {
  /** Whether the caller may rename and delete it. */
  canEdit: boolean
  /** The path's last exchange; null in an empty chat. */
  leaf: number | null
  /** At the exchanges that are shown. */
  branches: Branch[]
  /** Whether the path has exchanges before those shown. */
  hasEarlier: boolean
  /** The caller's own, by message number. */
  feedback: Map<number, Feedback>
}

/** The exchanges of a path before those that are shown. */
export type EarlierExchanges = Pick<ChatView, 'messages' | 'branches' | 'hasEarlier' | 'feedback'>

/** The page scrolls to the newest exchange and loads more if there is room, so a long chat opens as fast as a short one (bench, chats). */
const atFirst = { exchanges: 5, messages: 10 }
/** How many earlier ones are read at once. */
const atOnce = { exchanges: 20, messages: 50 }

/** Newest first. */
export async function listChats(
  deps: { db: Db; clock: Clock; listCursors: ListCursorCodec },
  caller: Caller,
  request: PageRequest,
): Promise<Page<ListedChat>> {
  const { organizationId } = caller
  const page = await readListPage(deps, {
    place: { organizationId, list: 'chats' },
    request,
    read: async (page) => ({ rows: await readChatsPage(deps.db, { organizationId, ...page }) }),
  })
  const runs = await readLatestRuns(deps.db, page.items.map(({ id }) => id))
  return { ...page, items: page.items.map((chat) => Object.assign(chat, { run: runs.get(chat.id) ?? null })) }
}

/** `leaf` chooses the path: it ends with the newest exchange that continues from this one. By default, with the newest of all. */
export async function getChat(deps: { db: Db }, caller: Caller, shortId: string, leaf?: number): Promise<ChatView> {
  const chat = await getChatRow(deps, caller, shortId)
  const view = await readState(deps, chat, async () => {
    const lastOf = (tree: ChatTree) => {
      const end = leafIn(tree, leaf)
      const path = pathTo(tree, end)
      const shown = lastExchanges(tree, path, { messageCount: chat.messageCount, atMost: atFirst })
      return { leaf: end, shown, hasEarlier: shown.length < path.length }
    }
    const tree = await readNewestExchanges(deps, chat.id, (part) => hasExchange(part, leaf) && lastOf(part).hasEarlier)
    const { shown, ...found } = lastOf(tree)
    return { ...found, ...(await readExchanges(deps, chat, { tree, shown })) }
  })
  if (!view) return noSuchChat(shortId)
  const feedback = await readOwnFeedback(deps, caller, chat, view.messages)
  return { ...chat, ...view, canEdit: canEdit(caller, chat), feedback }
}

/** The exchanges before one of the path. */
export async function readEarlierMessages(
  deps: { db: Db },
  caller: Caller,
  request: { shortId: string; before: number; leaf?: number | undefined },
): Promise<EarlierExchanges> {
  const { before, leaf } = request
  const chat = await getChatRow(deps, caller, request.shortId)
  const lastOf = (tree: ChatTree) => {
    const path = pathTo(tree, leafIn(tree, leaf))
    const end = path.indexOf(before)
    const shown = lastExchanges(tree, path.slice(0, Math.max(end, 0)), { messageCount: chat.messageCount, atMost: atOnce })
    return { isOnPath: end !== -1, shown, hasEarlier: shown.length < end }
  }
  const tree = await readNewestExchanges(deps, chat.id, (part) => hasExchange(part, leaf) && lastOf(part).hasEarlier)
  const { isOnPath, shown, hasEarlier } = lastOf(tree)
  if (!isOnPath) throw notOnPath('before')
  const exchanges = await readExchanges(deps, chat, { tree, shown })
  return { ...exchanges, hasEarlier, feedback: await readOwnFeedback(deps, caller, chat, exchanges.messages) }
}

/** A chat of another organization is treated as missing. */
export async function getChatRow(deps: { db: Db }, caller: Caller, shortId: string): Promise<ChatRow> {
  const { organizationId } = caller
  const chat = shortIdPattern.test(shortId) ? await findChat(deps.db, { organizationId, shortId }) : undefined
  return chat ?? noSuchChat(shortId)
}

/** Reads what is newer than `afterRevision`. Undefined if the chat has been deleted. */
export async function readNews(
  deps: { db: Db },
  chat: Pick<Chat, 'id' | 'organizationId'>,
  afterRevision: number,
): Promise<ChatNews | undefined> {
  return readState(deps, chat, async () => {
    const messages = await readMessages(deps.db, { chatId: chat.id, afterRevision })
    const questions = messages.filter(({ content }) => content.kind === 'question')
    if (questions.length === 0) return { messages }
    const tree = await readNewestExchanges(deps, chat.id, (part) => questions.every(({ number }) => isPlaced(part, number)))
    return { messages: withFollows(messages, tree) }
  })
}

/** The caller's feedback on these messages, by number. */
export async function readOwnFeedback(
  deps: { db: Db },
  caller: Caller,
  chat: Pick<Chat, 'id'>,
  messages: readonly Message[],
): Promise<Map<number, Feedback>> {
  const numbers = messages.filter(({ content }) => takesFeedback(content.kind)).map(({ number }) => number)
  if (numbers.length === 0) return new Map()
  return readFeedbackOf(deps.db, { chatId: chat.id, userId: caller.userId, numbers })
}

/** Answers to questions, and summaries of automations’ runs. */
export const takesFeedback = (kind: string): boolean => kind === 'answer' || kind === 'summary'

export const isWorking = (run: AgentRun | null | undefined) => run?.endedAt === null

export const canEdit = (caller: Caller, chat: Pick<ChatRow, 'startedBy'>): boolean =>
  caller.role === 'admin' || chat.startedBy?.id === caller.userId

/**
 * Undefined if the chat has been deleted. The revision is read before the rest, so nothing that it covers is missing; anything newer is sent again with the next news. Messages
 * are read last, so that a run reported as ended has all its messages.
 */
async function readState<Content extends { messages: ShownMessage[] }>(
  deps: { db: Db },
  chat: Pick<Chat, 'id' | 'organizationId'>,
  readContent: () => Promise<Content>,
): Promise<(Omit<ChatNews, 'messages'> & Content) | undefined> {
  const revision = (await readRevisions(deps.db, [chat.id])).get(chat.id)
  if (revision === undefined) return undefined
  const [runs, hasModel] = await Promise.all([
    readLatestRuns(deps.db, [chat.id]),
    hasModelSettings(deps.db, chat.organizationId),
  ])
  const run = runs.get(chat.id) ?? null
  return { revision, run, canAsk: hasModel && !isWorking(run), ...(await readContent()) }
}

async function readExchanges(
  deps: { db: Db },
  chat: Pick<Chat, 'id'>,
  { tree, shown }: { tree: ChatTree; shown: number[] },
): Promise<Pick<ChatView, 'messages' | 'branches'>> {
  const messages = await readMessages(deps.db, { chatId: chat.id, ranges: rangesOf(tree, shown) })
  // A question asked since the openings were read is news.
  const begun = messages.findIndex(({ number, content }) => content.kind === 'question' && !tree.follows.has(number))
  return { messages: withFollows(begun === -1 ? messages : messages.slice(0, begun), tree), branches: branchesOn(tree, shown) }
}

const withFollows = (messages: Message[], { follows }: ChatTree): ShownMessage[] =>
  messages.map((message) =>
    message.content.kind === 'question' ? { ...message, follows: follows.get(message.number) ?? null } : message,
  )

const hasExchange = ({ follows }: ChatTree, number: number | undefined) => number === undefined || follows.has(number)

function leafIn(tree: ChatTree, chosen: number | undefined): number | null {
  if (chosen === undefined) return tree.newest
  if (!tree.follows.has(chosen)) throw notOnPath('leaf')
  return newestFrom(tree, chosen)
}

function notOnPath(parameter: 'leaf' | 'before'): Refusal {
  const message = parameter === 'leaf' ? 'is not a question of this chat' : 'is not a question on this path'
  return new Refusal('invalid_request', `${parameter} ${message}.`, [{ path: parameter, message }])
}

export function noSuchChat(shortId: string): never {
  throw new Refusal('chat_not_found', `There is no chat ${JSON.stringify(shortId)}.`)
}
