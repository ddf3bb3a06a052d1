import type { LanguageModel, ModelMessage } from 'ai'
import type { AgentServices } from '../../services.ts'
import { type AgentAnswer, AgentFailure, type AgentTask } from '../../agent-runs/agent.ts'
import { openConnectorTools } from '../connectors/connector-tools.ts'
import { askWithRetries, StepFailed } from './ask-with-retries.ts'
import type { ModelStep } from './ask-model.ts'
import { bounds, retryLimits } from './model-limits.ts'
import { callTool } from './call-model-tool.ts'
import { fitHistory } from './fit-history.ts'
import { growingText } from './growing-text.ts'
import { instructionsFor } from './model-instructions.ts'
import { openLanguageModel } from './language-model.ts'
import { getModelAccess } from './model-settings.ts'
import type { ModelAccess } from '../../../model/model-settings.ts'
import { openingMessages } from './opening-messages.ts'
import { withKnowledge } from './knowledge-message.ts'
import { openTally, type Tally } from './tally.ts'
import { connectorTool } from './tools/connector-tool.ts'
import type { ModelTool } from './tools/model-tool.ts'
import { builtInTools } from './tools/built-in-tools.ts'
import type { ToolDeps } from './tools/tool-world.ts'

export type ModelAgentDeps = ToolDeps & Pick<AgentServices, 'log' | 'sealer' | 'agentFetch'>

/** Carries out a task and returns its answer. */
export async function runTask(services: ModelAgentDeps, task: AgentTask): Promise<AgentAnswer> {
  const { chat, signal, caller } = task
  const access = await getModelAccess(services, caller.organizationId)
  const connectors = await openConnectorTools(services, caller.organizationId, signal)
  try {
    for (const { connector, message } of connectors.problems) {
      await chat.add({ kind: 'note', text: `The data connector ${connector}: ${message}` })
    }
    const world = { ...services, chat, signal, caller, notBefore: task.requestedAt }
    const tools = [...builtInTools(world), ...connectors.tools.map((tool) => connectorTool(tool, { chat, signal }))]
    const model = openLanguageModel(access, services.agentFetch)
    return await converse(services, { task, access, model, tools })
  } finally {
    await connectors.close()
  }
}

interface Conversation {
  task: AgentTask
  access: ModelAccess
  model: LanguageModel
  tools: ModelTool[]
}

async function converse(deps: ModelAgentDeps, conversation: Conversation): Promise<AgentAnswer> {
  const { task, tools } = conversation
  const tally = openTally()
  const endAt = (reason: string | undefined) => {
    if (reason !== undefined) throw new AgentFailure(reason, { usage: tally.usage() })
  }
  const messages = await withKnowledge(deps, task, await openingMessages(deps, task))
  for (;;) {
    endAt(tally.beginStep())
    const { step, messageNumber } = await takeStep(deps, { ...conversation, messages, tally })
    if (step.toolCalls.length === 0) {
      if (messageNumber === undefined) return endWithoutAnswer(step, tally)
      return { summary: step.text, summaryMessageNumber: messageNumber, usage: tally.usage() }
    }
    const results = []
    for (const call of step.toolCalls) {
      task.signal.throwIfAborted()
      endAt(tally.beginCall(call))
      const { result, error } = await callTool({ tools, chat: task.chat }, call)
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
  deps: ModelAgentDeps,
  { task, access, model, tools, messages, tally }: Conversation & { messages: ModelMessage[]; tally: Tally },
): Promise<{ step: ModelStep; messageNumber: number | undefined }> {
  const { clock } = deps
  const { chat, signal } = task
  const text = growingText({ chat, clock })
  const startedMs = clock.monotonicMs()
  const line = { agentRunId: task.runId, provider: access.provider, model: access.model, step: tally.usage().steps }
  try {
    const { step, tries } = await askWithRetries(deps, {
      access,
      model,
      instructions: instructionsFor({ now: clock.now(), baseUrl: deps.baseUrl }),
      messages: fitHistory(messages, bounds.historyCharacters),
      tools,
      signal,
      onText: (said) => text.grow(said),
      async onCut(usage) {
        tally.addUsage(usage)
        await text.drop()
      },
      async onWait(waitMs, { reason }) {
        if (waitMs < retryLimits.waitToNoteMs) return
        await chat.add({ kind: 'note', text: `${reason} Retrying in ${Math.ceil(waitMs / 1000)} seconds.` })
      },
    })
    tally.addUsage(step.usage)
    const durationMs = Math.round(clock.monotonicMs() - startedMs)
    const { finishReason, usage, toolCalls } = step
    deps.log.info({ ...line, ...usage, durationMs, tries, finishReason, toolCalls: toolCalls.length }, 'model step')
    const isCutOff = finishReason === 'length' && toolCalls.length === 0 && step.text !== ''
    const whole = isCutOff ? { ...step, text: `${step.text}…\n\n_${cutOff}_` } : step
    return { step: whole, messageNumber: await text.end(whole.text) }
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error
    deps.log.info({ ...line, durationMs: Math.round(clock.monotonicMs() - startedMs) }, 'model step failed')
    throw new AgentFailure(error.message, { usage: tally.usage() })
  }
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
