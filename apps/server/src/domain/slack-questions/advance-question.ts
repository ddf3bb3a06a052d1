import type { Caller } from '../../model/caller.ts'
import type { ClaimedSlackQuestion } from '../../model/slack-question.ts'
import type { Refused } from '../channels/exchange.ts'
import type { SharedFile } from '../channels/channel-message.ts'
import type { SlackMessage } from '../channels/slack/render-blocks.ts'
import { questionMaxCharacters } from '../chats/ask.ts'
import type { Asked } from './ask-in-thread.ts'
import type { SlackStep } from './decide-question.ts'
import type { Asker } from './find-asker.ts'
import { chatDeletedReply, declined, plainReply, progressReply } from './replies.ts'

export interface SlackReply {
  message: SlackMessage
  /** Charts, shown below the message. */
  files: readonly SharedFile[]
}

/** `replyTs` names the reply even if something after it was refused. */
export type Said =
  | { kind: 'said'; replyTs: string; problem: string | null }
  | { kind: 'not_said'; outcome: Refused; replyTs: string | null }

export type Answer =
  | { kind: 'answering'; stepCount: number }
  | { kind: 'ended'; reply: SlackReply }
  | { kind: 'gone' }

/** What answering a question needs. The simulator has its own. */
export interface SlackQuestionPorts {
  findAsker(question: ClaimedSlackQuestion, signal: AbortSignal): Promise<Asker>
  /** Asks the question, once. */
  ask(question: ClaimedSlackQuestion, caller: Caller): Promise<Asked>
  readAnswer(question: ClaimedSlackQuestion, signal: AbortSignal): Promise<Answer>
  /** Posts the reply, or replaces it. */
  say(question: ClaimedSlackQuestion, reply: SlackReply, signal: AbortSignal): Promise<Said>
}

/** Takes a question as far as it can get now. Rejects with the reason of the signal, or if the lease is lost. */
export async function advanceQuestion(ports: SlackQuestionPorts, given: ClaimedSlackQuestion, signal: AbortSignal): Promise<SlackStep> {
  let question = given
  if (!question.chat) {
    const asked = await begin(ports, question, signal)
    if (asked.kind !== 'asked') return asked.kind === 'declined' ? decline(ports, question, asked.reason, signal) : asked
    question = { ...question, chat: asked.chat }
  }
  const answer = await ports.readAnswer(question, signal)
  if (answer.kind === 'answering') return tellProgress(ports, question, answer.stepCount, signal)
  const reply = answer.kind === 'ended' ? answer.reply : wordsOnly(chatDeletedReply)
  const said = await ports.say(question, reply, signal)
  return said.kind === 'said' ? { kind: 'answered', replyTs: said.replyTs, problem: said.problem } : refused(said)
}

async function begin(ports: SlackQuestionPorts, question: ClaimedSlackQuestion, signal: AbortSignal): Promise<Asked | SlackStep> {
  if (question.isShared) return { kind: 'declined', reason: declined.shared }
  const asker = await ports.findAsker(question, signal)
  if (asker.kind === 'unknown') return refused({ outcome: asker.outcome, replyTs: question.replyTs })
  if (asker.kind === 'declined') return { kind: 'declined', reason: declined[asker.why] }
  if (question.text === '') return { kind: 'declined', reason: declined.nothing_asked }
  if (question.text.length > questionMaxCharacters) return { kind: 'declined', reason: declined.too_long }
  return ports.ask(question, asker.caller)
}

async function decline(ports: SlackQuestionPorts, question: ClaimedSlackQuestion, reason: string, signal: AbortSignal): Promise<SlackStep> {
  const said = await ports.say(question, wordsOnly(reason), signal)
  return said.kind === 'said' ? { kind: 'declined', replyTs: said.replyTs, reason } : refused(said)
}

/** The first reply must arrive. A later one that does not is made up for by the next. */
async function tellProgress(ports: SlackQuestionPorts, question: ClaimedSlackQuestion, stepCount: number, signal: AbortSignal): Promise<SlackStep> {
  const { replyTs, toldSteps } = question
  if (replyTs !== null && stepCount === toldSteps) return { kind: 'waiting', replyTs, toldSteps }
  const said = await ports.say(question, { message: progressReply(stepCount), files: [] }, signal)
  if (said.kind === 'said') return { kind: 'waiting', replyTs: said.replyTs, toldSteps: stepCount }
  return replyTs === null ? refused(said) : { kind: 'waiting', replyTs, toldSteps }
}

const wordsOnly = (text: string): SlackReply => ({ message: plainReply(text), files: [] })

function refused({ outcome, replyTs }: { outcome: Refused; replyTs: string | null }): SlackStep {
  if (outcome.kind === 'refused_for_good') return { kind: 'refused_for_good', detail: outcome.detail, replyTs }
  const { detail, retryAfterMs } = outcome
  return { kind: 'refused_for_now', detail, replyTs, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}
