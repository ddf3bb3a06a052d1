import type { Static, TObject } from 'typebox'
import type { Caller } from '../../model/caller.ts'
import type { AgentServices } from '../../domain/services.ts'

/**
 * The service for other people's models, by the Model Context Protocol.
 *
 * - A *tool* is something that a model may ask for. Its *input* is strict, and its *answer* an object of the tool's
 *   output schema. It calls the domain functions that REST and the pages call, with the eyes of the API key's person:
 *   it can do no more than they, and is refused as they are.
 * - An answer is *small*: what is long is cut, and says so where it is cut (`mcp-texts.ts`).
 * - Nothing is kept between two requests, so any process may answer any of them. What takes longer than a request has
 *   an id to ask for later.
 */
export interface Tool {
  name: string
  title: string
  description: string
  hints: ToolHints
  input: TObject
  output: TObject
  /** The input has been held against the schema. Throws refusals. */
  call(context: ToolContext, input: unknown): Promise<Record<string, unknown>>
}

/** What a client may want to know before it asks its person for consent. They are our word, not a safeguard. */
export interface ToolHints {
  readOnlyHint: boolean
  destructiveHint?: boolean
  idempotentHint?: boolean
  /** Whether it reaches anything beyond this service and its databases. */
  openWorldHint: boolean
}

export interface ToolContext {
  services: AgentServices
  caller: Caller
  /** Aborts when nobody waits for the answer any more, and when the process stops: then there is no time to wait. */
  signal: AbortSignal
  /** Tells how it goes on; to nobody where the client has not asked for it. */
  tell(message: string): Promise<void>
}

export const reads: ToolHints = { readOnlyHint: true, openWorldHint: false }

export function defineTool<Input extends TObject, Output extends TObject>(tool: {
  name: string
  title: string
  description: string
  hints: ToolHints
  input: Input
  output: Output
  call(context: ToolContext, input: Static<Input>): Promise<Static<Output>>
}): Tool {
  return { ...tool, call: (context, input) => tool.call(context, input as Static<Input>) }
}
