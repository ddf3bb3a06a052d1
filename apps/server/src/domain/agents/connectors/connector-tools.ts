import type { AgentServices } from '../../services.ts'
import { listConnectors, type StoredConnector } from '../../../store/agents/data-connectors-table.ts'
import { describeFailure } from './connector-failure.ts'
import { type ConnectorDeps, openConnector, type OpenConnector } from './open-connector.ts'
import { makeToolNames } from './tool-names.ts'

export interface ConnectorTool {
  /** In the form models accept: `^[a-zA-Z0-9_-]{1,64}$`. It always contains `__`, so it never clashes with a built-in tool. */
  name: string
  /** The connector's name. */
  connector: string
  description: string
  /** JSON Schema of an object. */
  inputSchema: Record<string, unknown>
  /** Throws an error with a message for the model, or the signal's reason. */
  call(input: unknown, signal: AbortSignal): Promise<string>
}

export interface ConnectorTools {
  tools: ConnectorTool[]
  /** Problems to show in the chat. The other connectors still work. */
  problems: { connector: string; message: string }[]
  close(): Promise<void>
}

/** Opens the tools of all enabled connectors of the organization. Throws only when the signal aborts, and leaves nothing open then. */
export async function openConnectorTools(
  deps: ConnectorDeps & Pick<AgentServices, 'db'>,
  organizationId: string,
  signal: AbortSignal,
): Promise<ConnectorTools> {
  const connectors = (await listConnectors(deps.db, organizationId)).filter(({ enabled }) => enabled)
  const opened = await Promise.all(connectors.map((connector) => open(deps, connector, signal)))
  const close = async () => {
    await Promise.all(opened.flatMap((each) => ('open' in each ? [each.open.close()] : [])))
  }
  if (signal.aborted) {
    await close()
    signal.throwIfAborted()
  }
  const nameOf = makeToolNames()
  const answer: ConnectorTools = { tools: [], problems: [], close }
  for (const [index, { name: connector }] of connectors.entries()) {
    const each = opened[index]!
    const messages = 'open' in each ? each.open.problems : [each.problem]
    answer.problems.push(...messages.map((message) => ({ connector, message })))
    if (!('open' in each)) continue
    for (const { name, description, inputSchema } of each.open.tools) {
      const call = (input: unknown, callSignal: AbortSignal) => callTool(each.open, { name, input, signal: callSignal })
      answer.tools.push({ name: nameOf(connector, name), connector, description, inputSchema, call })
    }
  }
  return answer
}

async function open(
  deps: ConnectorDeps,
  connector: StoredConnector,
  signal: AbortSignal,
): Promise<{ open: OpenConnector } | { problem: string }> {
  try {
    return { open: await openConnector(deps, connector, signal) }
  } catch (error) {
    return { problem: describeFailure(error) }
  }
}

async function callTool(
  open: OpenConnector,
  { name, input, signal }: { name: string; input: unknown; signal: AbortSignal },
): Promise<string> {
  try {
    return await open.callTool(name, input, signal)
  } catch (error) {
    signal.throwIfAborted()
    throw new Error(describeFailure(error), { cause: error })
  }
}
