import type { JSONSchema7 } from 'ai'
import type { Static, TObject } from 'typebox'
import { Value } from 'typebox/value'

/**
 * A *tool* is something the model may call. Its answers and errors are text for the model; the agent wraps the text in its
 * envelope. A tool acts with the permissions of the task's caller, through the functions that the pages use, so a model that has
 * been manipulated can reach no further than that person.
 */
export interface ModelTool {
  name: string
  description: string
  inputSchema: JSONSchema7
  /** What is wrong with an input; undefined if it may be passed to `call`. */
  findFault(input: unknown): string | undefined
  /** Records in the chat what it does. Throws `ToolFailure` if it fails. */
  call(input: unknown): Promise<string>
}

/** An error for the model to read, so that it can correct itself. */
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
  // How an unknown field is reported.
  const message = first?.keyword === 'boolean' ? 'is not known to this tool' : first?.message
  return `${first?.instancePath || 'it'} ${message ?? 'is not valid'}`
}
