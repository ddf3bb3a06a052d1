import { findUnsupportedRequests } from '@querypost/answers'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Caller } from '../../model/caller.ts'
import type { Question } from '../../model/chat.ts'
import { insertAgentRun } from '../../store/agent-runs/insert-agent-run.ts'
import { readLatestRuns } from '../../store/agent-runs/read-agent-runs.ts'
import { hasModelSettings } from '../../store/agents/has-model-settings.ts'
import { addMessage } from '../../store/chats/add-message.ts'
import { insertChat } from '../../store/chats/insert-chat.ts'
import { keepListedState } from '../../store/chats/keep-listed-state.ts'
import { lockChat } from '../../store/chats/read-chats.ts'
import { isOpenedByInstruction } from '../../store/chats/read-openings.ts'
import type { Db, Tx } from '../../store/db.ts'
import { type AgentRunsDeps, stopActiveRun } from '../agent-runs/agent-runs.ts'
import { getDatabaseConfig } from '../databases/get-database-config.ts'
import { newId, newShortId } from '../ids.ts'
import { requireModelBudget } from '../model-budgets/require-model-budget.ts'
import { badInput } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import { titleOfQuestion } from './chat-title.ts'
import { getChatRow, isWorking, noSuchChat } from './chats.ts'
import { readNewestExchanges } from './read-newest-exchanges.ts'

interface AskDeps {
  db: Db
  clock: Clock
  random: Random
}

export const questionMaxCharacters = 20_000

/** Starts a chat with a question: the chat, the question and the run that answers it are one transaction. Returns its short id. */
export async function startChat(
  deps: AskDeps,
  caller: Caller,
  input: { text: string; databaseId?: string | undefined },
  at: InputPath = '/text',
): Promise<string> {
  const text = checkQuestion(input.text, at)
  const { databaseId } = input
  if (databaseId !== undefined) await getDatabaseConfig(deps, caller, databaseId)
  const { shortId } = await deps.db.transaction().execute((tx) => addChat(deps, tx, caller, { text, databaseId }))
  return shortId
}

/** Where a question was asked. */
export interface AskedQuestion {
  id: string
  shortId: string
  questionNumber: number
}

/** Starts a chat with a question, as part of a larger transaction. */
export async function addChat(
  deps: Omit<AskDeps, 'db'>,
  tx: Tx,
  caller: Caller,
  { text, databaseId }: { text: string; databaseId?: string | undefined },
): Promise<AskedQuestion> {
  const { organizationId, userId } = caller
  if (!(await hasModelSettings(tx, organizationId))) throw noModel()
  await requireModelBudget({ db: tx }, caller)
  const chat = { id: newId(deps.random, 'chat'), shortId: newShortId(deps.random) }
  const now = deps.clock.now()
  await insertChat(tx, { ...chat, organizationId, title: titleOfQuestion(text), createdBy: userId, now })
  const question = { kind: 'question' as const, text, follows: null, ...(databaseId !== undefined && { databaseId }) }
  const questionNumber = await addQuestion(deps, tx, caller, { chatId: chat.id, question, now })
  return { ...chat, questionNumber }
}

/**
 * Asks a question in a chat: adds the question and requests the run that answers it. `follows` is the exchange that it continues: by
 * default the newest. Editing a question, or asking it again, is asking one that follows the same exchange.
 */
export async function askInChat(
  deps: AskDeps,
  caller: Caller,
  input: { shortId: string; text: string; follows?: number | null | undefined },
  at: InputPath = '/text',
): Promise<void> {
  const text = checkQuestion(input.text, at)
  const chat = await getChatRow(deps, caller, input.shortId)
  await deps.db.transaction().execute((tx) => addFollowUp(deps, tx, caller, { chat, text, follows: input.follows }))
}

/** Asks a question in a chat, as part of a larger transaction. */
export async function addFollowUp(
  deps: Omit<AskDeps, 'db'>,
  tx: Tx,
  caller: Caller,
  input: { chat: { id: string; shortId: string }; text: string; follows?: number | null | undefined },
): Promise<AskedQuestion> {
  const { text } = input
  const { id: chatId, shortId } = input.chat
  if (!(await lockChat(tx, chatId))) return noSuchChat(shortId)
  if (!(await hasModelSettings(tx, caller.organizationId))) throw noModel()
  await requireModelBudget({ db: tx }, caller)
  if (isWorking((await readLatestRuns(tx, [chatId])).get(chatId))) throw alreadyAnswering()
  const follows = await placeOf(tx, chatId, input.follows)
  const now = deps.clock.now()
  await keepListedState(tx, { chatId, now })
  const questionNumber = await addQuestion(deps, tx, caller, { chatId, question: { kind: 'question', text, follows }, now })
  return { id: chatId, shortId, questionNumber }
}

/** Stops the agent that is working in the chat. */
export async function stopInChat(deps: AgentRunsDeps, caller: Caller, shortId: string): Promise<void> {
  const { id } = await getChatRow(deps, caller, shortId)
  const run = (await readLatestRuns(deps.db, [id])).get(id)
  if (!run) throw new Refusal('run_already_ended', 'No agent is working in this chat. There is nothing to stop.')
  await stopActiveRun(deps, caller, run)
}

/** The field of the request that holds the question. */
type InputPath = '/text' | '/question'

function checkQuestion(given: string, at: InputPath): string {
  const text = given.trim()
  if (text === '') throw badInput(at, 'must not be empty')
  return text
}

/** The exchange that a question continues. */
async function placeOf(tx: Tx, chatId: string, given: number | null | undefined): Promise<number | null> {
  if (given === null) {
    if (await isOpenedByInstruction(tx, chatId)) throw badInput('/follows', 'must not be null in a chat of an automation')
    return null
  }
  const { newest, follows } = await readNewestExchanges({ db: tx }, chatId, (tree) => given === undefined || tree.follows.has(given))
  if (given !== undefined && !follows.has(given)) throw badInput('/follows', 'is not a question of this chat')
  return given ?? newest
}

/**
 * Adds a question and returns its number. What a chat cannot do is said at once. If the question asks for nothing else, that is the answer,
 * and no agent is needed.
 */
async function addQuestion(
  deps: Omit<AskDeps, 'db'>,
  tx: Tx,
  caller: Caller,
  { chatId, question, now }: { chatId: string; question: Question; now: Date },
): Promise<number> {
  const { organizationId, userId, triggerId } = caller
  const number = await addMessage(tx, { chatId, agentRunId: null, userId, content: question, now })
  const { requests, asksForMore } = findUnsupportedRequests(question.text, 'chat')
  if (requests.length > 0) {
    const text = requests.map(({ explanation }) => explanation).join('\n\n')
    const content = asksForMore ? { kind: 'note' as const, text } : { kind: 'answer' as const, text, figures: [] }
    await addMessage(tx, { chatId, agentRunId: null, userId: null, content, now })
    if (!asksForMore) return number
  }
  await insertAgentRun(tx, {
    id: newId(deps.random, 'arun'),
    organizationId,
    automationId: null,
    chatId,
    agent: 'model',
    trigger: 'question',
    triggerId,
    userId,
    instructions: question.text,
    requestedAt: now,
    dueAt: null,
    missedCount: 0,
  })
  return number
}

const noModel = () =>
  new Refusal('model_not_configured', 'No model is set up to answer. An admin can set one up in the organization’s settings.')

const alreadyAnswering = () =>
  new Refusal('chat_already_answering', 'An agent is still working in this chat. Wait until it has finished, or stop it.')
