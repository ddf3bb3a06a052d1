import type { JSONSchema7 } from 'ai'
import type { Static, TObject } from 'typebox'
import { Value } from 'typebox/value'

/**
 * A *tool* is something that the model may ask for. What it answers, and what it says when it fails, is text for the
 * model; the agent puts the text into its envelope. Whatever a tool does it does with the eyes of the task's caller,
 * through the functions that the pages use: a model that has been talked into something can reach no further than
 * that person.
 */
export interface ModelTool {
  name: string
  description: string
  inputSchema: JSONSchema7
  /** What is wrong with an input; undefined when it may be given to `call`. */
  findFault(input: unknown): string | undefined
  /** Stores in the chat what it does. Throws `ToolFailure` when it cannot be done. */
  call(input: unknown): Promise<string>
}

/** For the model to read: what went wrong, so that it may do better. */
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure'
}

export function defineTool<Input extends TObject>(tool: {
  name: string
  description: string
  input: Input
  call(input: Static<Input>): Promise<string>
}): ModelTool {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: tool.input as JSONSchema7,
    findFault: (input) => faultOf(tool.input, input),
    call: (input) => tool.call(input as Static<Input>),
  }
}

function faultOf(schema: TObject, input: unknown): string | undefined {
  if (Value.Check(schema, input)) return undefined
  const [first] = Value.Errors(schema, input)
  // How a field is reported that the schema does not have.
  const message = first?.keyword === 'boolean' ? 'is not known to this tool' : first?.message
  return `${first?.instancePath || 'it'} ${message ?? 'is not valid'}`
}
