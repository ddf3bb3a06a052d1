import { type AnswerOutcome, answersAtOnce, type TestQuestion } from '../../model/question-set.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { insertAgentRun } from '../../store/agent-runs/insert-agent-run.ts'
import { addMessage } from '../../store/chats/add-message.ts'
import { insertChat } from '../../store/chats/insert-chat.ts'
import { storableText } from '../../store/chats/storable-json.ts'
import type { Tx } from '../../store/db.ts'
import {
  endIfComplete,
  lockEvaluationOfRun,
  markRunning,
  readWaiting,
  type UnfinishedEvaluation,
  writeOutcome,
} from '../../store/evaluations/evaluation-answers.ts'
import { newId, newShortId } from '../ids.ts'
import { shortened } from '../shortened.ts'

interface AnswerDeps {
  tx: Tx
  clock: Clock
  random: Random
}

const titleMaxCharacters = 100
const explanationMaxCharacters = 2000

/** Records the outcome of an answer and starts the next one, as part of the transaction that ends its agent run. */
export async function recordAnswer(deps: AnswerDeps, run: { id: string }, outcome: AnswerOutcome): Promise<void> {
  const { tx } = deps
  const evaluation = await lockEvaluationOfRun(tx, run.id)
  // The question set has been deleted.
  if (!evaluation) return
  const now = deps.clock.now()
  const explanation = outcome.explanation && shortened(storableText(outcome.explanation), explanationMaxCharacters)
  await writeOutcome(tx, { ...outcome, explanation, agentRunId: run.id, now })
  await startAnswers(deps, evaluation, { count: 1 })
  await endIfComplete(tx, { evaluationId: evaluation.id, now })
}

/** Starts the next questions that wait. The transaction has created or locked the evaluation. */
export async function startAnswers(
  deps: AnswerDeps,
  evaluation: UnfinishedEvaluation,
  { count = answersAtOnce }: { count?: number } = {},
): Promise<void> {
  for (const { position, question } of await readWaiting(deps.tx, { evaluationId: evaluation.id, count })) {
    await startAnswer(deps, evaluation, { position, question })
  }
}

async function startAnswer(
  { tx, clock, random }: AnswerDeps,
  { id: evaluationId, organizationId, userId }: UnfinishedEvaluation,
  { position, question }: { position: number; question: TestQuestion },
): Promise<void> {
  const now = clock.now()
  const { text, databaseId } = question
  const chat = { id: newId(random, 'chat'), shortId: newShortId(random) }
  const agentRunId = newId(random, 'arun')
  await insertChat(tx, { ...chat, organizationId, title: shortened(text, titleMaxCharacters), createdBy: userId, isHidden: true, now })
  const content = { kind: 'question' as const, text, follows: null, databaseId }
  await addMessage(tx, { chatId: chat.id, agentRunId: null, userId, content, now })
  await insertAgentRun(tx, {
    id: agentRunId,
    organizationId,
    automationId: null,
    chatId: chat.id,
    agent: 'model',
    trigger: 'evaluation',
    triggerId: evaluationId,
    userId,
    instructions: text,
    requestedAt: now,
    dueAt: null,
    missedCount: 0,
  })
  await markRunning(tx, { evaluationId, position, agentRunId, chatShortId: chat.shortId })
}
