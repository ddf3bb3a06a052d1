import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { Value } from 'typebox/value'
import { Refusal, type RefusalDetail } from '../../domain/refusal.ts'
import type { RefusalCode } from '../../model/error-code.ts'
import { errorBody } from '../errors.ts'
import { shown } from './mcp-texts.ts'
import type { Tool, ToolContext } from './tool.ts'

/**
 * Calls a tool. A refusal is an answer that the model can act on, so it is a result that says `isError`, with the body
 * that REST would answer and what to do here. All else is a fault of ours, and is thrown.
 */
export async function callTool(tool: Tool, context: ToolContext, input: unknown): Promise<CalledTool> {
  try {
    checkInput(tool, input)
    const answer = await tool.call(context, input)
    // The same once more as text, for clients that know only that.
    return { result: { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer } }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { code, details } = error
    const { baseUrl } = context.services
    const body = errorBody({ baseUrl, code, message: shown(error.message, messageCharacters), details })
    const text = JSON.stringify({ ...body, ...(hints[code] && { hint: hints[code] }) })
    return { result: { isError: true, content: [{ type: 'text', text }] }, code }
  }
}

export interface CalledTool {
  result: CallToolResult
  /** Of the refusal, if it was one. */
  code?: RefusalCode
}

const messageCharacters = 2_000
const mostDetails = 10

function checkInput(tool: Tool, input: unknown): void {
  if (Value.Check(tool.input, input)) return
  const details = Value.Errors(tool.input, input).flatMap(detailsOf).slice(0, mostDetails)
  const first = details[0] ?? { path: '/', message: 'is not valid' }
  const message = `The input of ${tool.name} is not valid: ${first.path} ${first.message}.`
  throw new Refusal('invalid_request', message, details)
}

type Fault = ReturnType<typeof Value.Errors>[number]

/** In the words of the REST interface. */
function detailsOf({ keyword, instancePath, params, message }: Fault): RefusalDetail[] {
  // What the schema does not know is told of twice, and this is the one without names.
  if (keyword === 'boolean') return []
  const named = params as { requiredProperties?: string[]; additionalProperties?: string[]; allowedValues?: unknown[] }
  const each = (names: string[], said: string) =>
    names.map((name) => ({ path: `${instancePath}/${shown(name, 100)}`, message: said }))
  if (keyword === 'required') return each(named.requiredProperties ?? [], 'is required')
  if (keyword === 'additionalProperties') {
    return each(named.additionalProperties ?? [], 'is not known to this tool; remove it')
  }
  const said = named.allowedValues ? `must be one of ${named.allowedValues.join(', ')}` : message
  return [{ path: instancePath || '/', message: said }]
}

const notThere = 'The lists show what there is: list_references, list_queries, list_automations, list_databases.'
const anew = 'run_reference makes a new result.'
const whichParameters = 'get_reference tells the parameters, their types and defaults.'

/** What to do about it with these tools, where the message speaks of another interface. */
const hints: Partial<Record<RefusalCode, string>> = {
  reference_not_found: notThere,
  query_not_found: notThere,
  automation_not_found: notThere,
  database_not_found: notThere,
  table_not_found: 'Call list_tables to see the tables.',
  result_not_available: anew,
  result_expired: anew,
  cursor_invalid: 'Call the same tool without cursor.',
  cursor_expired: 'Call the same tool without cursor.',
  parameter_missing: whichParameters,
  parameter_invalid: whichParameters,
  automation_already_running: 'list_automations tells the id of its run; get_automation_run waits for it.',
}
