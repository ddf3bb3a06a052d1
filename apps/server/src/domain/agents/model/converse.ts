import type { LanguageModel, ModelMessage } from 'ai'
import type { ModelAccess } from '../../../model/model-settings.ts'
import type { BaseServices } from '../../services.ts'
import { type AgentAnswer, AgentFailure } from '../../agent-runs/agent.ts'
import type { ChatWriter } from '../../agent-runs/chat-writer.ts'
import { askWithRetries, StepFailed } from './ask-with-retries.ts'
import type { ModelStep } from './ask-model.ts'
import { callTool } from './call-model-tool.ts'
import { fitHistory } from './fit-history.ts'
import { checkFollowUps, splitFollowUps } from './follow-ups.ts'
import { type GrowingText, growingText } from './growing-text.ts'
import type { Meter } from './meter.ts'
import { instructionsFor } from './model-instructions.ts'
import { bounds, retryLimits } from './model-limits.ts'
import type { PublishedText, Publisher } from './publisher.ts'
import type { StepUsage } from './step-usage.ts'
import type { Tally } from './tally.ts'
import type { ModelTool } from './tools/model-tool.ts'

type ConverseDeps = Pick<BaseServices, 'clock' | 'random' | 'log'>

/** What `converse` needs to know of a task. */
export interface Conversation {
  chat: ChatWriter
  /** Aborts when the answer is no longer wanted. */
  signal: AbortSignal
  /** Says in the log what each step belongs to. */
  logFields: Record<string, string>
  /** The time as the model sees it. */
  now(): Date
  access: ModelAccess
  model: LanguageModel
  tools: ModelTool[]
  messages: ModelMessage[]
  publisher: Publisher
  tally: Tally
  meter: Meter
}

/**
 * Takes steps until the model answers. If the answer has figures that are not proven, the model gets one chance to repair it; if that
 * fails, the answer is published as it is, with those figures struck through.
 */
export async function converse(deps: ConverseDeps, conversation: Conversation): Promise<AgentAnswer> {
  const { tally, messages } = conversation
  const draft = await stepsToAnswer(deps, conversation)
  const { repairRequest } = draft.published
  if (repairRequest === null || draft.isCutOff || tally.stepsLeft() === 0) return answerOf(draft, tally)
  messages.push(...draft.step.messages, { role: 'user', content: repairRequest })
  try {
    return answerOf(await stepsToAnswer(deps, { ...conversation, replaces: draft.messageNumber }), tally)
  } catch (error) {
    if (error instanceof AgentFailure) return answerOf(draft, tally)
    throw error
  }
}

interface WrittenAnswer {
  step: ModelStep
  published: PublishedText
  followUps: string[]
  messageNumber: number
  isCutOff: boolean
}

const answerOf = ({ published, followUps, messageNumber }: WrittenAnswer, tally: Tally): AgentAnswer => ({
  summary: published.text,
  figures: published.figures,
  sources: published.sources,
  followUps,
  summaryMessageNumber: messageNumber,
  usage: tally.usage(),
})

/** Takes steps up to one without tool calls, whose text is the answer. */
async function stepsToAnswer(
  deps: ConverseDeps,
  conversation: Conversation & { replaces?: number },
): Promise<WrittenAnswer> {
  const { chat, signal, tools, messages, tally, meter } = conversation
  const endAt = (reason: string | undefined) => {
    if (reason !== undefined) throw new AgentFailure(reason, { usage: tally.usage() })
  }
  let { replaces } = conversation
  for (;;) {
    await meter.requireBudget(tally.usage())
    endAt(tally.beginStep())
    const { step, written } = await takeStep(deps, { ...conversation, replaces })
    replaces = undefined
    if (step.toolCalls.length === 0) return written ?? endWithoutAnswer(step, tally)
    const results = []
    for (const call of step.toolCalls) {
      signal.throwIfAborted()
      endAt(tally.beginCall(call))
      const { result, error } = await callTool({ tools, chat }, call)
      endAt(tally.endCall(error))
      results.push(result)
    }
    messages.push(...step.messages, { role: 'tool', content: results })
    const stepsLeft = tally.stepsLeft()
    if (stepsLeft > 0 && stepsLeft <= bounds.stepsToWarnAt) {
      const content = `Steps left: ${stepsLeft}. Write your answer now, with what you have found.`
      messages.push({ role: 'user', content })
    }
  }
}

/** Takes one step: the model's text grows in the chat as it arrives, and the step writes one log line. */
async function takeStep(
  deps: ConverseDeps,
  conversation: Conversation & { replaces: number | undefined },
): Promise<{ step: ModelStep; written: WrittenAnswer | undefined }> {
  const { chat, signal, access, model, tools, messages, tally, meter, publisher, replaces } = conversation
  const { clock } = deps
  const text = growingText({ chat, clock, publisher, replaces })
  const startedMs = clock.monotonicMs()
  const addUsage = async (usage: StepUsage) => {
    tally.addUsage(usage)
    await meter.add(usage)
  }
  const line = { ...conversation.logFields, provider: access.provider, model: access.model, step: tally.usage().steps }
  try {
    const { step, tries } = await askWithRetries(deps, {
      access,
      model,
      instructions: instructionsFor({ now: conversation.now() }),
      messages: fitHistory(messages, bounds.historyCharacters),
      tools,
      signal,
      onText: (reply) => text.grow(splitFollowUps(reply, { isPartial: true }).text),
      onAbort: addUsage,
      async onCut(usage) {
        await addUsage(usage)
        await text.drop()
      },
      async onWait(waitMs, { reason }) {
        if (waitMs < retryLimits.waitToNoteMs) return
        await chat.add({ kind: 'note', text: `${reason} Retrying in ${Math.ceil(waitMs / 1000)} seconds.` })
      },
    })
    await addUsage(step.usage)
    const durationMs = Math.round(clock.monotonicMs() - startedMs)
    const { finishReason, usage, toolCalls } = step
    deps.log.info({ ...line, ...usage, durationMs, tries, finishReason, toolCalls: toolCalls.length }, 'model step')
    return { step, written: await write(step, { text, publisher }) }
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    deps.log.info({ ...line, durationMs: Math.round(clock.monotonicMs() - startedMs) }, 'model step failed')
    throw new AgentFailure(error.message, { usage: tally.usage() })
  }
}

/** Publishes the step's text in its message. Undefined if there is none. */
async function write(
  step: ModelStep,
  { text, publisher }: { text: GrowingText; publisher: Publisher },
): Promise<WrittenAnswer | undefined> {
  const reply = splitFollowUps(step.text)
  const isCutOff = step.finishReason === 'length' && step.toolCalls.length === 0
  const published = await publisher.publish(reply.text, { isPartial: isCutOff })
  if (published.text === '') {
    await text.endWithoutText()
    return undefined
  }
  const whole = isCutOff ? { ...published, text: `${published.text.trimEnd()}…\n\n_${cutOff}_` } : published
  const followUps = await checkFollowUps(publisher, reply.followUps)
  return { step, published: whole, followUps, messageNumber: await text.end(whole), isCutOff }
}

const cutOff = `The answer was cut off at the limit of ${bounds.outputTokensPerStep} tokens.`

function endWithoutAnswer({ finishReason }: ModelStep, tally: Tally): never {
  const why =
    finishReason === 'content-filter'
      ? 'the provider’s content filter blocked the answer'
      : finishReason === 'length'
        ? `it used up its ${bounds.outputTokensPerStep} tokens without writing an answer`
        : 'its answer was empty'
  throw new AgentFailure(`The model ended without an answer: ${why}. Try again, or choose another model.`, {
    usage: tally.usage(),
  })
}
