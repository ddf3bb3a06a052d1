import { EngineError } from '../../../../engines/engine.ts'
import type { ChatWriter } from '../../../agent-runs/chat-writer.ts'
import type { ToolCallStep } from '../../../../model/chat.ts'
import { Refusal } from '../../../refusal.ts'
import { withEllipsis } from '../../../../ports/cut-text.ts'
import { ToolFailure } from './model-tool.ts'

/** Of what a tool was given and what it answered, what the chat keeps. */
const shownCharacters = 4_000

export interface ToolStep {
  tool: string
  /** The data connector whose tool it is; null for our own. */
  connector: string | null
  input: unknown
}

/** Stores a tool's call when it begins, and changes it when it is over. */
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

/** Stores a call that came to nothing. */
export async function addFailedStep(chat: ChatWriter, step: ToolStep, reason: string): Promise<void> {
  await chat.add({ ...stepOf(step), status: 'failed', output: withEllipsis(reason, shownCharacters) })
}

/**
 * What the model may be told of an error: a refusal, and what an engine says of a statement. All else is no fault of
 * the model's (the run was stopped, its lease is lost, the service is broken) and is thrown on.
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
