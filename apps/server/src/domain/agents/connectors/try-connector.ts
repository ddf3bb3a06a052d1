import type { AgentServices } from '../../services.ts'
import { findConnector } from '../../../store/agents/data-connectors-table.ts'
import { requireAdmin } from '../../access/require-admin.ts'
import type { Caller } from '../../../model/caller.ts'
import { describeFailure } from './connector-failure.ts'
import { requireConnector } from './data-connectors.ts'
import { type ConnectorDeps, openConnector } from './open-connector.ts'

export type ConnectorTrial =
  | {
      ok: true
      durationMs: number
      server: { name: string; version: string }
      tools: { name: string; description: string }[]
      /** Problems that an agent will see along with the tools. */
      problems: string[]
    }
  | { ok: false; message: string }

/** Opens a stored connector, enabled or not, and reports the outcome. */
export async function tryConnector(
  deps: ConnectorDeps & Pick<AgentServices, 'db'>,
  caller: Caller,
  connectorId: string,
): Promise<ConnectorTrial> {
  requireAdmin(caller)
  const connector = await requireConnector(caller, connectorId, (key) => findConnector(deps.db, key))
  const startedMs = deps.clock.monotonicMs()
  try {
    const { server, tools, problems, close } = await openConnector(deps, connector, new AbortController().signal)
    const durationMs = Math.round(deps.clock.monotonicMs() - startedMs)
    await close()
    const shown = tools.map(({ name, description }) => ({ name, description }))
    return { ok: true, durationMs, server, tools: shown, problems }
  } catch (error) {
    return { ok: false, message: describeFailure(error) }
  }
}
