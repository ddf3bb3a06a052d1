import { EngineError } from '../../../../engines/engine.ts'
import type { ChatWriter } from '../../../agent-runs/chat-writer.ts'
import type { ToolCallStep } from '../../../../model/chat.ts'
import { Refusal } from '../../../refusal.ts'
import { withEllipsis } from '../../../../ports/cut-text.ts'
import { ToolFailure } from './model-tool.ts'

/** How much of a tool's input and output the chat keeps. */
const shownCharacters = 4_000

export interface ToolStep {
  tool: string
  /** The data connector that provides the tool; null for built-in tools. */
  connector: string | null
  input: unknown
}

/** Adds a tool call to the chat when it starts, and updates it when it ends. */
export async function withToolStep(chat: ChatWriter, step: ToolStep, call: () => Promise<string>): Promise<string> {
  const shown = stepOf(step)
  const number = await chat.add(shown)
  try {
    const output = await call()
    await chat.change(number, { ...shown, status: 'completed', output: withEllipsis(output, shownCharacters) })
    return output
  } catch (error) {
    const failure = asToolFailure(error)
    await chat.change(number, { ...shown, status: 'failed', output: withEllipsis(failure.message, shownCharacters) })
    throw failure
  }
}

/** Adds a call that could not be made. */
export async function addFailedStep(chat: ChatWriter, step: ToolStep, reason: string): Promise<void> {
  await chat.add({ ...stepOf(step), status: 'failed', output: withEllipsis(reason, shownCharacters) })
}

/**
 * Converts an error that the model may see: a rejected request, or an engine's message about a statement. Other errors are not the
 * model's fault (the run was stopped, its lease was lost, the service is broken) and are rethrown.
 */
export function asToolFailure(error: unknown): ToolFailure {
  if (error instanceof ToolFailure) return error
  if (error instanceof Refusal || error instanceof EngineError) return new ToolFailure(error.message, { cause: error })
  throw error
}

const stepOf = ({ tool, connector, input }: ToolStep): ToolCallStep => ({
  kind: 'tool_call',
  tool,
  connector,
  input: withEllipsis(typeof input === 'string' ? input : JSON.stringify(input), shownCharacters),
  status: 'running',
  output: null,
})
