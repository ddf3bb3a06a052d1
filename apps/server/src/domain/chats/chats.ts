import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { insertAgentRun } from '../../store/agent-runs/insert-agent-run.ts'
import { readLatestRuns } from '../../store/agent-runs/read-agent-runs.ts'
import { hasModelSettings } from '../../store/agents/has-model-settings.ts'
import { addMessage } from '../../store/chats/add-message.ts'
import { type ChatRow, findChat, lockChat, readChatsPage, readRevisions } from '../../store/chats/read-chats.ts'
import { readMessages } from '../../store/chats/read-messages.ts'
import type { Db } from '../../store/db.ts'
import type { AgentRun } from '../../model/agent-run.ts'
import { type AgentRunsDeps, stopActiveRun } from '../agent-runs/agent-runs.ts'
import { newId, shortIdPattern } from '../ids.ts'
import { requireModelBudget } from '../model-budgets/require-model-budget.ts'
import type { ListCursorCodec } from '../pagination/list-cursor.ts'
import type { Page, PageRequest } from '../../model/page.ts'
import { readListPage } from '../pagination/list-page.ts'
import { badInput } from '../people/check-text.ts'
import type { Caller } from '../../model/caller.ts'
import { Refusal } from '../refusal.ts'
import type { Chat, Message } from '../../model/chat.ts'

export interface ListedChat extends ChatRow {
  /** Its latest agent run. */
  run: AgentRun | null
}

export interface ChatInFull extends ListedChat {
  /** Whether a question can be asked now: a model is set up and no agent is working. */
  canAsk: boolean
  messages: Message[]
}

/** What has changed in a chat since a revision. */
export type ChatNews = Pick<ChatInFull, 'revision' | 'run' | 'canAsk' | 'messages'>

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

export async function getChat(deps: { db: Db }, caller: Caller, shortId: string): Promise<ChatInFull> {
  const chat = await getChatRow(deps, caller, shortId)
  return { ...chat, ...(await readNews(deps, chat, 0)) }
}

/** A chat of another organization is treated as missing. */
export async function getChatRow(deps: { db: Db }, caller: Caller, shortId: string): Promise<ChatRow> {
  const { organizationId } = caller
  const chat = shortIdPattern.test(shortId) ? await findChat(deps.db, { organizationId, shortId }) : undefined
  return chat ?? noSuchChat(shortId)
}

/**
 * Reads what is newer than `afterRevision`. The revision is read before the rest, so nothing that it covers is missing; anything
 * newer is sent again with the next news. Messages are read last, so that a run reported as ended has all its messages.
 */
export async function readNews(
  deps: { db: Db },
  chat: Pick<Chat, 'id' | 'organizationId'>,
  afterRevision: number,
): Promise<ChatNews> {
  const revision = (await readRevisions(deps.db, [chat.id])).get(chat.id)!
  const [runs, hasModel] = await Promise.all([
    readLatestRuns(deps.db, [chat.id]),
    hasModelSettings(deps.db, chat.organizationId),
  ])
  const messages = await readMessages(deps.db, { chatId: chat.id, afterRevision })
  const run = runs.get(chat.id) ?? null
  return { revision, run, canAsk: hasModel && !isWorking(run), messages }
}

export const questionMaxCharacters = 20_000

/** Asks a follow-up question: adds the question and requests the run that answers it. */
export async function askInChat(
  deps: { db: Db; clock: Clock; random: Random },
  caller: Caller,
  input: { shortId: string; text: string },
): Promise<ChatInFull> {
  const text = input.text.trim()
  if (text === '') throw badInput('/text', 'must not be empty')
  const { organizationId, userId, triggerId } = caller
  const { id: chatId } = await getChatRow(deps, caller, input.shortId)
  await deps.db.transaction().execute(async (tx) => {
    await lockChat(tx, { organizationId, shortId: input.shortId })
    if (!(await hasModelSettings(tx, organizationId))) throw noModel()
    await requireModelBudget({ db: tx }, caller)
    if (isWorking((await readLatestRuns(tx, [chatId])).get(chatId))) throw alreadyAnswering()
    const now = deps.clock.now()
    await addMessage(tx, { chatId, agentRunId: null, userId, content: { kind: 'question', text }, now })
    await insertAgentRun(tx, {
      id: newId(deps.random, 'arun'),
      organizationId,
      automationId: null,
      chatId,
      agent: 'model',
      trigger: 'question',
      triggerId,
      userId,
      instructions: text,
      requestedAt: now,
      dueAt: null,
      missedCount: 0,
    })
  })
  return getChat(deps, caller, input.shortId)
}

/** Stops the agent that is working in the chat. */
export async function stopInChat(deps: AgentRunsDeps, caller: Caller, shortId: string): Promise<ChatInFull> {
  const { id } = await getChatRow(deps, caller, shortId)
  const run = (await readLatestRuns(deps.db, [id])).get(id)
  if (!run) throw new Refusal('run_already_ended', 'No agent is working in this chat. There is nothing to stop.')
  await stopActiveRun(deps, caller, run)
  return getChat(deps, caller, shortId)
}

const isWorking = (run: AgentRun | null | undefined) => run?.endedAt === null

function noSuchChat(shortId: string): never {
  throw new Refusal('chat_not_found', `There is no chat ${JSON.stringify(shortId)}.`)
}

const noModel = () =>
  new Refusal('model_not_configured', 'No model is set up to answer. An admin can set one up in the organization’s settings.')

const alreadyAnswering = () =>
  new Refusal('chat_already_answering', 'An agent is still working in this chat. Wait until it has finished, or stop it.')
