import { Type } from 'typebox'
import { getAutomationRun, stopAgentRun } from '../../../domain/agent-runs/agent-runs.ts'
import type { AgentServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { noBody } from '../../page-responses.ts'
import { presentAgentRunInFull } from '../../present-agent-run.ts'
import { AutomationRun } from '../../schemas/automation-schemas.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ id: Type.String() })

/** One run of an automation: get it, stop it. */
export function agentRunRoutes(api: Api, services: AgentServices): void {
  const schema = { params: Params, response: { 200: AutomationRun } }

  api.get('/app/api/automation-runs/:id', { schema }, async (request) =>
    presentAgentRunInFull(await getAutomationRun(services, callerOf(request), request.params.id), services),
  )

  api.post('/app/api/automation-runs/:id/stop', { ...noBody, schema }, async (request) =>
    presentAgentRunInFull(await stopAgentRun(services, callerOf(request), request.params.id), services),
  )
}
