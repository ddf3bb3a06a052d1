import { Type } from 'typebox'
import { getAutomationRun } from '../../domain/agent-runs/agent-runs.ts'
import { runAutomation } from '../../domain/automations/run-automation.ts'
import type { AgentServices } from '../../domain/services.ts'
import { answers } from '../answers.ts'
import { callerOf } from '../authenticate.ts'
import { optionalBody } from '../body-parsers.ts'
import { presentAgentRunInFull } from '../present-agent-run.ts'
import { closed } from '../schemas.ts'
import { AutomationRun } from '../schemas/automation-schemas.ts'
import type { Api } from '../typed.ts'

const tags = ['Automations']

/** Starting an automation from a program, and seeing how it goes. Not part of the retired interface. */
export function automationRoutes(api: Api, services: AgentServices): void {
  api.post(
    '/api/automations/:id/runs',
    {
      ...optionalBody,
      schema: {
        operationId: 'automations.run',
        tags,
        summary: 'Run an automation now',
        description:
          'Starts a run, whether the automation is paused or not, and answers at once with the pending run. It has one run at a time. To learn of the end, receive webhooks or retrieve the run until its `status` is `completed` or `failed`.',
        params: Type.Object({
          id: Type.String({ description: 'The automation’s id, from its page.', examples: ['automation_4c9t'] }),
        }),
        body: Type.Object({}, { description: 'Nothing, or an empty object.', ...closed }),
        response: answers(202, AutomationRun, ['automation_not_found', 'automation_already_running', 'body_too_large']),
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
      schema: {
        operationId: 'automationRuns.get',
        tags,
        summary: 'Retrieve a run of an automation',
        description:
          'Its status, at its end the `summary` or the `reason`, and the event that told of it with its deliveries. A webhook comes by itself; this is for those who cannot receive one.',
        params: Type.Object({
          id: Type.String({ description: 'The run’s id, as starting it answered.', examples: ['agentrun_6b2m'] }),
        }),
        response: answers(200, AutomationRun, ['automation_run_not_found']),
      },
    },
    async (request) =>
      presentAgentRunInFull(await getAutomationRun(services, callerOf(request), request.params.id), services),
  )
}
