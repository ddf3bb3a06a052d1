import { CommandError, type Context } from '../command.ts'
import { readConnection } from '../service-connection.ts'
import type { ParameterValues } from './parameter-values.ts'

const rejected = 'The service rejected the run.'

interface ToolAnswer {
  result?: { isError?: boolean; structuredContent?: unknown; content?: { text?: string }[] }
  error?: { message: string }
}

/**
 * Starts a run of a saved query with values for its parameters; parameters without a value get their defaults. The refresh route of the
 * API takes no values, since it repeats the last run. The MCP tool `run_reference` does, so this calls it, without waiting for the end.
 */
export async function startRunWithParameters(
  context: Pick<Context, 'environment' | 'url' | 'fetch' | 'signal'>,
  { shortId, parameterValues }: { shortId: string; parameterValues: ParameterValues },
): Promise<{ id: string; status: string }> {
  const { baseUrl, apiKey } = readConnection(context)
  const call = { name: 'run_reference', arguments: { shortId, parameterValues, waitSeconds: 0 } }
  const { result, error } = await post(context, `${baseUrl}/mcp`, {
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
  })
  if (result && !result.isError) return result.structuredContent as { id: string; status: string }
  throw new CommandError(1, result ? refusalText(result.content?.[0]?.text) : (error?.message ?? rejected))
}

async function post({ fetch, signal }: Pick<Context, 'fetch' | 'signal'>, url: string, init: RequestInit): Promise<ToolAnswer> {
  try {
    const response = await fetch(url, { method: 'POST', ...init, signal })
    const answer = (await response.json()) as ToolAnswer
    if (response.status === 401 || response.status === 403) {
      throw new CommandError(3, answer.error?.message ?? 'The service rejected the API key.')
    }
    return answer
  } catch (error) {
    if (signal.aborted || error instanceof CommandError) throw error
    throw new CommandError(3, `Can't reach the service at ${new URL(url).origin}: ${(error as Error).message}`)
  }
}

/** The text of a failed tool call is the error body of the API. */
function refusalText(text = '{}'): string {
  const body = JSON.parse(text) as { message?: string; documentation_url?: string }
  return [body.message ?? rejected, body.documentation_url].filter((line) => line !== undefined).join('\n  ')
}
