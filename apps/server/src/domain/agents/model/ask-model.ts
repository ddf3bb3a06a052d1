import { InvalidToolInputError, jsonSchema, type LanguageModel, type ModelMessage, streamText, type ToolSet } from 'ai'
import { bounds, charactersPerToken } from './model-limits.ts'
import { AnswerAborted, AnswerCut } from './provider-failure.ts'
import type { ModelTool } from './tools/model-tool.ts'
import type { StepUsage } from './step-usage.ts'

/** One *step*: what the model answers to one request, with the tools it calls. */
export interface ModelStep {
  text: string
  toolCalls: ModelToolCall[]
  /** The answer in the form in which it is sent back in the next step. */
  messages: ModelMessage[]
  finishReason: string
  usage: StepUsage
}

export interface ModelToolCall {
  id: string
  name: string
  input: unknown
  /** Why the call cannot be made: the tool does not exist, or the input is not JSON or does not match its schema. */
  fault: string | null
}

export interface ModelRequest {
  model: LanguageModel
  instructions: string
  messages: ModelMessage[]
  tools: readonly ModelTool[]
  signal: AbortSignal
  /** Called with all the text of this step so far. */
  onText?(text: string): Promise<void>
}

/**
 * Asks the model once. Throws the provider's or the network's error, or `AnswerCut` if it happened after the answer had begun, or
 * `AnswerAborted` if the signal aborted. Does not call tools: the caller does that, and counts the calls.
 */
export async function askModel(request: ModelRequest): Promise<ModelStep> {
  const answer = streamText({
    model: request.model,
    instructions: request.instructions,
    messages: request.messages,
    tools: toolSet(request.tools),
    maxOutputTokens: bounds.outputTokensPerStep,
    maxRetries: 0,
    abortSignal: request.signal,
    telemetry: { isEnabled: false },
    // The error also arrives as a part of the stream. The default handler would write it to the console with the whole request.
    onError: () => {},
  })
  let text = ''
  const toolCalls: ModelToolCall[] = []
  let finish: { reason: string; inputTokens: number | undefined; outputTokens: number | undefined } | undefined
  const hasBegun = () => text !== '' || toolCalls.length > 0
  try {
    for await (const part of answer.stream) {
      if (part.type === 'text-delta') {
        text += part.text
        if (text.length > bounds.textCharacters) throw new Error('The model exceeded the maximum length of its answer.')
        await request.onText?.(text)
      } else if (part.type === 'tool-call') {
        const { toolCallId: id, toolName: name, input } = part
        const fault = part.invalid ? faultOf(part.error, name, request.tools) : null
        toolCalls.push(isDeep(input) ? { id, name, input: null, fault: tooDeep } : { id, name, input, fault })
      } else if (part.type === 'error') {
        throw part.error
      } else if (part.type === 'abort') {
        break
      } else if (part.type === 'finish-step') {
        const { inputTokens, outputTokens } = part.usage
        finish = { reason: part.finishReason, inputTokens, outputTokens }
      }
    }
  } catch (error) {
    if (request.signal.aborted) throw new AnswerAborted(estimateUsage(request, text))
    throw hasBegun() ? new AnswerCut(error, estimateUsage(request, text)) : error
  }
  if (request.signal.aborted) throw new AnswerAborted(estimateUsage(request, text))
  if (!finish) throw new AnswerCut(new Error('The answer ended too early.'), estimateUsage(request, text))
  const estimate = estimateUsage(request, text)
  return {
    text: text.replaceAll('\0', '').toWellFormed().trim(),
    toolCalls,
    messages: (await answer.responseMessages).filter(({ role }) => role === 'assistant'),
    finishReason: finish.reason,
    usage: {
      inputTokens: finish.inputTokens ?? estimate.inputTokens,
      outputTokens: finish.outputTokens ?? estimate.outputTokens,
    },
  }
}

function toolSet(tools: readonly ModelTool[]): ToolSet {
  return Object.fromEntries(
    tools.map((tool) => [
      tool.name,
      {
        description: tool.description,
        inputSchema: jsonSchema(tool.inputSchema, {
          validate: (value) => {
            const fault = tool.findFault(value)
            return fault === undefined ? { success: true, value } : { success: false, error: new Error(fault) }
          },
        }),
      },
    ]),
  )
}

function faultOf(error: unknown, name: string, tools: readonly ModelTool[]): string {
  const tool = tools.find((each) => each.name === name)
  if (!tool) {
    const names = tools.map((each) => each.name).join(', ')
    return `There is no tool ${JSON.stringify(name)}. The tools are ${names}.`
  }
  const given = InvalidToolInputError.isInstance(error) ? error.toolInput : ''
  let parsed: unknown
  try {
    parsed = given.trim() === '' ? {} : JSON.parse(given)
  } catch (notJson) {
    return `The input is not JSON: ${(notJson as Error).message}. Send one JSON object that fits the tool's schema.`
  }
  return `The input does not fit the tool's schema: ${tool.findFault(parsed) ?? 'it is not accepted'}.`
}

const depthMax = 50
const tooDeep = `The input is nested more than ${depthMax} deep.`

/** Iterative, so that deeply nested input cannot overflow the stack here; later code may then recurse safely. */
function isDeep(input: unknown): boolean {
  let level: unknown[] = [input]
  for (let depth = 0; depth <= depthMax; depth++) {
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
    if (level.length === 0) return false
  }
  return true
}

function estimateUsage(request: ModelRequest, text: string): StepUsage {
  const characters = request.instructions.length + JSON.stringify(request.messages).length
  return {
    inputTokens: Math.ceil(characters / charactersPerToken),
    outputTokens: Math.ceil(text.length / charactersPerToken),
  }
}
