import { Type } from 'typebox'
import { getAutomationRun } from '../../domain/agent-runs/agent-runs.ts'
import { runAutomation } from '../../domain/automations/run-automation.ts'
import type { AgentServices } from '../../domain/services.ts'
import { responses } from '../responses.ts'
import { callerOf } from '../authenticate.ts'
import { optionalBody } from '../body-parsers.ts'
import { presentAgentRunInFull } from '../present-agent-run.ts'
import { closed } from '../schemas.ts'
import { AutomationRun } from '../schemas/automation-schemas.ts'
import type { Api } from '../typed.ts'

const tags = ['Automations']

/** Start an automation and follow its run. Not part of the retired API. */
export function automationRoutes(api: Api, services: AgentServices): void {
  api.post(
    '/api/automations/:id/runs',
    {
      ...optionalBody,
      config: { scope: 'run:automations', ...optionalBody.config },
      schema: {
        operationId: 'automations.run',
        tags,
        summary: 'Run an automation now',
        description:
          'Starts a run, even if the automation is paused, and returns the pending run immediately. An automation has one run at a time. To know when it ends, receive webhooks or poll the run until its `status` is `completed` or `failed`.',
        params: Type.Object({
          id: Type.String({ description: 'The automation’s id, shown on its page.', examples: ['automation_4c9t'] }),
        }),
        body: Type.Object({}, { description: 'No body, or an empty object.', ...closed }),
        response: responses(202, AutomationRun, ['automation_not_found', 'automation_already_running', 'body_too_large']),
      },
    },
    async (request, reply) => {
      const run = await runAutomation(services, callerOf(request), request.params.id, { trigger: 'api' })
      return reply.code(202).send(presentAgentRunInFull(run, services))
    },
  )

  api.get(
    '/api/automation-runs/:id',
    {
      config: { scope: 'read:automations' },
      schema: {
        operationId: 'automationRuns.get',
        tags,
        summary: 'Retrieve an automation run',
        description:
          'Returns the status of the run, its `summary` or `reason` once it has ended, and the event with its deliveries. Use this if you cannot receive webhooks.',
        params: Type.Object({
          id: Type.String({ description: 'The run’s id, from the response that started it.', examples: ['arun_6b2m'] }),
        }),
        response: responses(200, AutomationRun, ['automation_run_not_found']),
      },
    },
    async (request) =>
      presentAgentRunInFull(await getAutomationRun(services, callerOf(request), request.params.id), services),
  )
}
