import type { Static, TObject } from 'typebox'
import type { RequiredScope, Scope } from '../../model/api-key-scope.ts'
import type { Caller } from '../../model/caller.ts'
import type { AgentServices, WebhookServices } from '../../domain/services.ts'

/**
 * The service for external AI models, using the Model Context Protocol.
 *
 * - A *tool* is an operation that a model can call. Its *input* is validated strictly, and its *answer* is an object of the tool's
 *   output schema. It calls the same domain functions as the REST API and the web app, with the permissions of the API key's user.
 * - Answers are *small*: long texts are truncated, with a note in their place (`mcp-texts.ts`).
 * - No state is kept between requests, so any process can serve any of them. Work that takes longer than a request has an id with
 *   which to ask for it later.
 */
export interface Tool {
  name: string
  /** A model sees only the tools that its API key may call. */
  scope: RequiredScope
  title: string
  description: string
  hints: ToolHints
  input: TObject
  output: TObject
  /** The input matches the schema. Throws refusals. */
  call(context: ToolContext, input: unknown): Promise<Record<string, unknown>>
}

/** Helps a client to decide whether to ask its user for consent. Only hints, not a safeguard. */
export interface ToolHints {
  readOnlyHint: boolean
  destructiveHint?: boolean
  idempotentHint?: boolean
  /** Whether it reaches anything beyond this service and its databases. */
  openWorldHint: boolean
}

export type ToolServices = AgentServices & WebhookServices

export interface ToolContext {
  services: ToolServices
  caller: Caller
  /** Those of the API key. */
  scopes: readonly Scope[]
  /** Aborts when the client disconnects, and when the process stops. */
  signal: AbortSignal
  /** Reports progress, if the client has asked for it. */
  reportProgress(message: string): Promise<void>
}

export const reads: ToolHints = { readOnlyHint: true, openWorldHint: false }
export const creates: ToolHints = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }
/** Changes and deletions: what was there before is gone, and doing it twice changes nothing more. */
export const replaces: ToolHints = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }

export function defineTool<Input extends TObject, Output extends TObject>(tool: {
  name: string
  scope: RequiredScope
  title: string
  description: string
  hints: ToolHints
  input: Input
  output: Output
  call(context: ToolContext, input: Static<Input>): Promise<Static<Output>>
}): Tool {
  return { ...tool, call: (context, input) => tool.call(context, input as Static<Input>) }
}
