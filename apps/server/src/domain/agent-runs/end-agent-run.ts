import { provenText } from '@querypost/answers'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import {
  lockAgentRun,
  type LockedAgentRun,
  type ExpectedState,
  writeAgentRunEnd,
} from '../../store/agent-runs/locked-agent-run.ts'
import { insertReportJobs } from '../../store/reports/insert-report-jobs.ts'
import { replaceObservations } from '../../store/agents/observations-table.ts'
import { addMessage } from '../../store/chats/add-message.ts'
import { changeMessage } from '../../store/chats/change-message.ts'
import { closeOpenSteps } from '../../store/chats/close-open-steps.ts'
import { keepListedState } from '../../store/chats/keep-listed-state.ts'
import { storableText } from '../../store/chats/storable-json.ts'
import type { Db, Tx } from '../../store/db.ts'
import { wakeSlackQuestions } from '../../store/slack-questions/slack-questions-table.ts'
import type { AgentAnswer } from './agent.ts'
import { plainText } from '../plain-text.ts'
import type { MessageContent } from '../../model/chat.ts'
import { shortened } from '../shortened.ts'
import type { AutomationRunEvent } from '../../model/event.ts'
import { recordAnswer } from './record-evaluated-answer.ts'
import { publishEvent } from '../webhooks/events/publish-event.ts'
import type { ModelUsage } from '../../model/agent-run.ts'
import type { AnswerOutcome } from '../../model/question-set.ts'
import { notifyOfFailure } from './notify-of-failure.ts'

/** How a run ended. */
export type Ending =
  | { status: 'completed'; answer: AgentAnswer }
  | {
      status: 'failed'
      reason: string
      /** The user who stopped it, if any. */
      stoppedBy?: string
      usage?: ModelUsage
    }

export interface EndingDeps {
  db: Db
  clock: Clock
  random: Random
  baseUrl: string
}

/** The event's summary is short; the chat has the full text. */
const summaryMaxCharacters = 2000
const reasonMaxCharacters = 2000

/**
 * Ends a run: writes its row, its observations, the chat's last message, the event with its deliveries, the report jobs and the notifications
 * in one transaction. Returns false and writes nothing when `while` no longer holds.
 */
export async function endAgentRun(
  deps: EndingDeps,
  input: { runId: string; while: ExpectedState; ending: Ending },
): Promise<boolean> {
  return deps.db.transaction().execute(async (tx) => {
    const run = await lockAgentRun(tx, input.runId, input.while)
    if (run) await writeEnding(deps, tx, run, input.ending)
    return run !== undefined
  })
}

/** Writes the end of a run, as part of the transaction that has locked it. */
export async function writeEnding(deps: EndingDeps, tx: Tx, run: LockedAgentRun, ending: Ending): Promise<void> {
  const now = deps.clock.now()
  const reason = ending.status === 'failed' ? shortened(storableText(ending.reason), reasonMaxCharacters) : null
  await closeOpenSteps(tx, {
    chatId: run.chatId,
    agentRunId: run.id,
    reason: reason ?? 'The run ended before this step did.',
    now,
  })
  if (ending.status === 'completed' && run.automationId !== null && ending.answer.observations) {
    const { observations } = ending.answer
    await replaceObservations(tx, { automationId: run.automationId, agentRunId: run.id, observations })
  }
  await keepListedState(tx, { chatId: run.chatId, now })
  await writeLastMessage(tx, run, { ending, reason, now })
  if (run.trigger === 'question') await wakeSlackQuestions(tx, run.chatId)
  if (run.trigger === 'evaluation') await recordAnswer({ ...deps, tx }, run, endedAnswer(ending, reason))
  const outcome =
    ending.status === 'completed'
      ? { status: ending.status, summary: summaryOf(ending.answer) }
      : { status: ending.status, reason: reason!, stoppedBy: ending.stoppedBy ?? null }
  const content = eventOf(run, outcome, deps)
  const published = content && (await publishEvent({ ...deps, tx }, { organizationId: run.organizationId, content }))
  if (outcome.status === 'failed') await notifyOfFailure({ ...deps, tx }, run, outcome)
  if (ending.status === 'completed' && run.automationId !== null) {
    await insertReportJobs(tx, {
      id: run.id,
      automationId: run.automationId,
      isNotable: ending.answer.isNotable ?? true,
      isStartedByCondition: run.trigger === 'condition',
    })
  }
  const usage = (ending.status === 'completed' ? ending.answer.usage : ending.usage) ?? null
  await writeAgentRunEnd(tx, { runId: run.id, outcome, eventId: published?.eventId ?? null, usage, now })
}

async function writeLastMessage(
  tx: Tx,
  run: LockedAgentRun,
  { ending, reason, now }: { ending: Ending; reason: string | null; now: Date },
): Promise<void> {
  const message = { chatId: run.chatId, agentRunId: run.id, now }
  if (ending.status === 'failed') {
    const content: MessageContent = { kind: 'failure', reason: reason!, ...(ending.stoppedBy !== undefined && { isStopped: true }) }
    await addMessage(tx, { ...message, userId: null, content })
    return
  }
  const { summary: text, figures, sources, followUps = [], summaryMessageNumber: number } = ending.answer
  const content: MessageContent = {
    kind: run.automationId === null ? 'answer' : 'summary',
    text,
    ...(figures && { figures }),
    ...(sources && { sources }),
    ...(followUps.length > 0 && { followUps }),
  }
  if (number !== undefined && (await changeMessage(tx, { ...message, number, content }))) return
  await addMessage(tx, { ...message, userId: null, content })
}

/** Without an outcome, the agent did not compare anything. */
function endedAnswer(ending: Ending, reason: string | null): AnswerOutcome {
  if (ending.status === 'completed') return ending.answer.outcome ?? { status: 'failed', runId: null, explanation: null }
  return { status: ending.stoppedBy === undefined ? 'failed' : 'stopped', runId: null, explanation: reason }
}

/** Plain text cannot strike a figure through, so one that is not proven is left out. */
const summaryOf = ({ summary, figures = [] }: AgentAnswer) =>
  shortened(storableText(plainText(provenText(summary, figures))), summaryMaxCharacters)

/** Only for automations: someone who asks in a chat reads the answer there. */
function eventOf(
  run: LockedAgentRun,
  outcome: { status: 'completed'; summary: string } | { status: 'failed'; reason: string },
  { baseUrl }: EndingDeps,
): AutomationRunEvent | undefined {
  if (run.automationId === null) return undefined
  const automation = { automationId: run.automationId, automationName: run.automationName!, runId: run.id }
  const chatUrl = `${baseUrl}/chats/${run.chatShortId}`
  return outcome.status === 'completed'
    ? { type: 'automation.run.completed', data: { ...automation, summary: outcome.summary, chatUrl, imageUrl: null } }
    : { type: 'automation.run.failed', data: { ...automation, chatUrl, reason: outcome.reason } }
}
