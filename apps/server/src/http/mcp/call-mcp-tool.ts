import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { Value } from 'typebox/value'
import { Refusal, type RefusalDetail } from '../../domain/refusal.ts'
import type { RefusalCode } from '../../model/error-code.ts'
import { hasScope } from '../../domain/access/scopes.ts'
import { scopeMissing } from '../authenticate.ts'
import { errorBody } from '../errors.ts'
import { shown } from './mcp-texts.ts'
import type { Tool, ToolContext } from './tool.ts'

/**
 * Calls a tool. A refusal is something the model can act on, so it becomes a result with `isError`, the error body of the REST API and
 * a hint. Anything else is an internal error and is thrown.
 */
export async function callTool(tool: Tool, context: ToolContext, input: unknown): Promise<CalledTool> {
  try {
    if (!hasScope(context.scopes, tool.scope)) throw scopeMissing(tool.scope)
    checkInput(tool, input)
    const answer = await tool.call(context, input)
    // Repeated as text, for clients that support only text.
    return { result: { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, details, currentVersion } = error
    const { baseUrl } = context.services
    const body = errorBody({ baseUrl, code, message: shown(error.message, messageCharacters), details, currentVersion })
    const text = JSON.stringify({ ...body, ...(hints[code] && { hint: hints[code] }) })
    return { result: { isError: true, content: [{ type: 'text', text }] }, code }
  }
}

export interface CalledTool {
  result: CallToolResult
  /** The code of the refusal, if there was one. */
  code?: RefusalCode
}

const messageCharacters = 2_000
const detailsMax = 10

function checkInput(tool: Tool, input: unknown): void {
  if (Value.Check(tool.input, input)) return
  const details = Value.Errors(tool.input, input).flatMap(detailsOf).slice(0, detailsMax)
  const first = details[0] ?? { path: '/', message: 'is not valid' }
  const message = `The input of ${tool.name} is not valid: ${first.path} ${first.message}.`
  throw new Refusal('invalid_request', message, details)
}

type Fault = ReturnType<typeof Value.Errors>[number]

/** Uses the same wording as the REST API. */
function detailsOf({ keyword, instancePath, params, message }: Fault): RefusalDetail[] {
  // Unknown properties are reported twice; skip the report without names.
  if (keyword === 'boolean') return []
  const named = params as { requiredProperties?: string[]; additionalProperties?: string[]; allowedValues?: unknown[] }
  const each = (names: string[], problem: string) =>
    names.map((name) => ({ path: `${instancePath}/${shown(name, 100)}`, message: problem }))
  if (keyword === 'required') return each(named.requiredProperties ?? [], 'is required')
  if (keyword === 'additionalProperties') {
    return each(named.additionalProperties ?? [], 'is not a known input; remove it')
  }
  const problem = named.allowedValues ? `must be one of ${named.allowedValues.join(', ')}` : message
  return [{ path: instancePath || '/', message: problem }]
}

const findIt = 'Find valid ids with list_references, list_queries, list_automations or list_databases.'
const runIt = 'Use run_reference to create a new result.'
const checkParameters = 'Use get_reference to see the parameters with their types and defaults.'

/** What to do with these tools, for errors whose message is written for the REST API. */
const hints: Partial<Record<RefusalCode, string>> = {
  reference_not_found: findIt,
  query_not_found: findIt,
  automation_not_found: findIt,
  database_not_found: findIt,
  table_not_found: 'Call list_tables to see the tables.',
  result_not_available: runIt,
  result_expired: runIt,
  cursor_invalid: 'Call the same tool without cursor.',
  cursor_expired: 'Call the same tool without cursor.',
  parameter_missing: checkParameters,
  parameter_invalid: checkParameters,
  automation_already_running: 'Use list_automations to get the id of its run, and get_automation_run to wait for it.',
}
