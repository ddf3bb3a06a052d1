import type { ToolResultPart } from 'ai'
import type { ChatWriter } from '../../agent-runs/chat-writer.ts'
import type { ModelToolCall } from './ask-model.ts'
import { withEllipsis } from '../../../ports/cut-text.ts'
import { envelop } from './envelope.ts'
import { type ModelTool, ToolFailure } from './tools/model-tool.ts'
import { addFailedStep } from './tools/tool-step.ts'

export interface CalledTool {
  /** The result sent to the model. */
  result: ToolResultPart
  /** Why it failed, if it did. */
  error: string | undefined
}

const errorCharacters = 4_000

/** Carries out a tool call of the model. Failures become a result; it throws only when the run itself has to end. */
export async function callTool(
  { tools, chat }: { tools: readonly ModelTool[]; chat: ChatWriter },
  call: ModelToolCall,
): Promise<CalledTool> {
  const result = (output: ToolResultPart['output']): ToolResultPart => ({
    type: 'tool-result',
    toolCallId: call.id,
    toolName: call.name,
    output,
  })
  const failed = (reason: string) => {
    const error = withEllipsis(reason, errorCharacters)
    return { error, result: result({ type: 'error-text', value: envelop('The call failed.', error) }) }
  }
  const tool = tools.find(({ name }) => name === call.name)
  const fault = call.fault ?? (tool ? findUnstorable(call.input) : 'There is no such tool.')
  if (!tool || fault !== undefined) {
    await addFailedStep(chat, { tool: call.name, connector: null, input: call.input ?? null }, fault ?? '')
    return failed(fault ?? '')
  }
  try {
    return { error: undefined, result: result({ type: 'text', value: await tool.call(call.input) }) }
  } catch (error) {
    if (error instanceof ToolFailure) return failed(error.message)
    throw error
  }
}

/** Text that PostgreSQL could not store and return; the HTTP routes reject it too. */
function findUnstorable(input: unknown): string | undefined {
  return isStorable(input) ? undefined : 'The input holds a NUL character or half of a surrogate pair. Leave it out.'
}

function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0')
  if (typeof value !== 'object' || value === null) return true
  return Object.entries(value).flat().every(isStorable)
}
