import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { ResultSchema } from '@modelcontextprotocol/sdk/types.js'
import type { JsonSchemaValidator, jsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/types.js'
import { abortAfter } from '../../../ports/clock.ts'
import type { AgentServices } from '../../services.ts'
import type { StoredConnector } from '../../../store/agents/data-connectors-table.ts'
import { ConnectorFailure } from './connector-failure.ts'
import { sealingContext } from './data-connectors.ts'
import { type ListedTool, listTools } from './list-tools.ts'
import { noLimit } from './no-limit.ts'
import { storable } from './storable.ts'
import { readToolAnswer } from './tool-answer.ts'
import { makeConnectorTransport } from './transport.ts'
import { withinLimit } from './within-limit.ts'

export type ConnectorDeps = Pick<AgentServices, 'clock' | 'sealer' | 'agentFetch'>

export interface OpenConnector {
  server: { name: string; version: string }
  tools: ListedTool[]
  /** Problems with its tool list. */
  problems: string[]
  /** Throws what `describeFailure` describes, or the signal's reason. */
  callTool(name: string, input: unknown, signal: AbortSignal): Promise<string>
  close(): Promise<void>
}

/** Time limit for connecting and listing the tools together, and for each tool call. */
const limitMs = 30_000
const endSessionWithinMs = 2000
const client = { name: 'querypost', version: '1' }

/** Throws errors for `describeFailure`, or the signal's reason; leaves nothing open then. */
export async function openConnector(
  deps: ConnectorDeps,
  connector: StoredConnector,
  signal: AbortSignal,
): Promise<OpenConnector> {
  const { clock, agentFetch } = deps
  const { url } = connector
  const transport = makeConnectorTransport({ clock, agentFetch, url, headers: headersOf(deps, connector) })
  // No capabilities: the server has nothing to request from us.
  const mcp = new Client(client, { capabilities: {}, jsonSchemaValidator: noopValidator })

  async function close(): Promise<void> {
    const limit = abortAfter(clock, endSessionWithinMs)
    await transport.endSession(limit.signal)
    limit.cancel()
    await mcp.close()
  }

  try {
    const listed = await withinLimit({ clock, limitMs, signal }, async (cut) => {
      // Ends work that the signal of a single request does not reach.
      cut.addEventListener('abort', () => void mcp.close())
      await mcp.connect(transport, { signal: cut, ...noLimit })
      return listTools(mcp, cut)
    })
    const { name = '', version = '' } = mcp.getServerVersion() ?? {}
    return {
      ...listed,
      server: { name: storable(name, 100), version: storable(version, 100) },
      close,
      async callTool(tool, input, callSignal) {
        if (typeof input !== 'object' || input === null || Array.isArray(input)) {
          throw new ConnectorFailure('The input of a tool must be an object.')
        }
        const request = { method: 'tools/call', params: { name: tool, arguments: input } }
        const result = await withinLimit({ clock, limitMs, signal: callSignal }, (cut) =>
          mcp.request(request, ResultSchema, { signal: cut, ...noLimit }),
        )
        return readToolAnswer(result)
      },
    }
  } catch (error) {
    await close()
    throw error
  }
}

function headersOf({ sealer }: ConnectorDeps, connector: StoredConnector): Record<string, string> {
  if (connector.sealedHeaders === null) return {}
  try {
    return JSON.parse(sealer.open(connector.sealedHeaders, sealingContext(connector))) as Record<string, string>
  } catch {
    throw new ConnectorFailure(
      'The saved headers cannot be decrypted: SECRET_KEY has changed since they were saved. ' +
        'Enter them again, or ask the operator to restore the key.',
    )
  }
}

/** Results are checked by our own code, so nothing needs validating, and schemas from untrusted servers are never compiled. */
const noopValidator: jsonSchemaValidator = {
  getValidator:
    <Data>(): JsonSchemaValidator<Data> =>
    (data) => ({ valid: true, data: data as Data, errorMessage: undefined }),
}
