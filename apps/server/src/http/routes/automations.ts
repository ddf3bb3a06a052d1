import { Type } from 'typebox'
import { type AgentRunInFull, getAutomationRun } from '../../domain/agent-runs/agent-runs.ts'
import { agentRunTriggers } from '../../domain/agent-runs/agent-run.ts'
import { agentKinds } from '../../domain/agents/agent.ts'
import { runAutomation } from '../../domain/automations/run-automation.ts'
import { deliveryStates } from '../../domain/webhooks/delivery/delivery.ts'
import { eventTypes } from '../../domain/webhooks/events/event.ts'
import type { Services } from '../../services.ts'
import { callerOf } from '../authenticate.ts'
import { optionalBody } from '../body-parsers.ts'
import { presentAgentRunInFull } from '../present-agent-run.ts'
import { answers, closed, NullableText, NullableTimestamp, nullable, oneOf, RunStatus, Timestamp } from '../schemas.ts'
import type { Api } from '../typed.ts'

const tags = ['Automations']
const Params = Type.Object({ id: Type.String() })

const AutomationRun = Type.Object({
  id: Type.String(),
  automationId: Type.String(),
  automationName: Type.String(),
  agent: oneOf(agentKinds),
  status: RunStatus,
  trigger: oneOf(agentRunTriggers),
  triggerId: Type.String({ description: 'Who or what caused it: key_…, user_… or automation_…' }),
  requestedAt: Timestamp,
  dueAt: NullableTimestamp,
  missedCount: Type.Integer({ description: 'How many more due times it stands for; counted up to 1000' }),
  isLate: Type.Boolean(),
  startedAt: NullableTimestamp,
  endedAt: NullableTimestamp,
  summary: NullableText,
  reason: NullableText,
  chatUrl: Type.String({ description: 'The permalink of its chat' }),
  chatShortId: Type.String(),
  usage: nullable(
    Type.Object({ inputTokens: Type.Integer(), outputTokens: Type.Integer(), steps: Type.Integer() }),
  ),
  event: nullable(
    Type.Object({
      id: Type.String(),
      type: oneOf(eventTypes),
      createdAt: Timestamp,
      data: Type.Object({
        automationId: Type.String(),
        automationName: Type.String(),
        runId: Type.String(),
        chatUrl: Type.String(),
        summary: Type.Optional(Type.String({ description: 'Of a run that completed' })),
        imageUrl: Type.Optional(Type.Null({ description: 'Reserved' })),
        reason: Type.Optional(Type.String({ description: 'Of a run that failed' })),
      }),
      deliveries: Type.Array(
        Type.Object({
          id: Type.String(),
          endpointId: Type.String(),
          url: Type.String(),
          state: oneOf(deliveryStates),
        }),
      ),
    }),
  ),
})

/** Every run that is found here is an automation's. */
function present(run: AgentRunInFull, services: Services) {
  const shown = presentAgentRunInFull(run, services)
  return { ...shown, automationId: shown.automationId!, automationName: shown.automationName! }
}

/** Starting an automation from a program, and seeing how it goes. Not part of the retired interface. */
export function automationRoutes(api: Api, services: Services): void {
  api.post(
    '/api/automations/:id/runs',
    {
      ...optionalBody,
      schema: {
        tags,
        summary: 'Run an automation now',
        params: Params,
        body: Type.Object({}, closed),
        response: answers(202, AutomationRun, [404, 409, 413]),
      },
    },
    async (request, reply) => {
      const run = await runAutomation(services, callerOf(request), request.params.id, { trigger: 'api' })
      return reply.code(202).send(present(run, services))
    },
  )

  api.get(
    '/api/automation-runs/:id',
    {
      schema: { tags, summary: 'Retrieve a run of an automation', params: Params, response: answers(200, AutomationRun, [404]) },
    },
    async (request) => present(await getAutomationRun(services, callerOf(request), request.params.id), services),
  )
}
