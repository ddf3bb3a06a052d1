import { Type } from 'typebox'
import { getAutomationRun } from '../../domain/agent-runs/agent-runs.ts'
import { type AgentKind, agentKinds, type AgentRunInFull, agentRunTriggers } from '../../model/agent-run.ts'
import { runAutomation } from '../../domain/automations/run-automation.ts'
import { deliveryStates } from '../../model/delivery.ts'
import { eventTypes } from '../../model/event.ts'
import type { AgentServices } from '../../domain/services.ts'
import { answers } from '../answers.ts'
import { callerOf } from '../authenticate.ts'
import { optionalBody } from '../body-parsers.ts'
import { presentAgentRunInFull } from '../present-agent-run.ts'
import {
  closed,
  described,
  nullable,
  NullableText,
  NullableTimestamp,
  oneOf,
  RunStatus,
  Timestamp,
} from '../schemas.ts'
import type { Api } from '../typed.ts'

const tags = ['Automations']

const AutomationRun = Type.Object(
  {
    id: Type.String({ examples: ['agentrun_6b2m'] }),
    automationId: Type.String({ examples: ['automation_4c9t'] }),
    automationName: Type.String({ examples: ['Weekly report'] }),
    agent: Type.Unsafe<AgentKind>({
      type: 'string',
      enum: [...agentKinds],
      description: '`digest` needs no model and states figures and what changed; `model` asks the organization’s model.',
    }),
    status: RunStatus,
    trigger: described(oneOf(agentRunTriggers), 'What made it run: `api` for this route.'),
    triggerId: Type.String({
      description: 'Who or what caused it: `key_…`, `user_…` or `automation_…`.',
      examples: ['key_3h5j'],
    }),
    requestedAt: Timestamp,
    dueAt: described(NullableTimestamp, 'The time it was due, for a schedule; else null.'),
    missedCount: Type.Integer({ description: 'How many more due times it stands for; counted up to 1000.' }),
    isLate: Type.Boolean({ description: 'True when it began more than a minute after its due time.' }),
    startedAt: described(NullableTimestamp, 'Null until an agent takes it.'),
    endedAt: described(NullableTimestamp, 'Null until it has completed or failed.'),
    summary: described(NullableText, 'What the run found, as plain text. Null unless it completed.'),
    reason: described(NullableText, 'Why it failed, or that it was stopped and by whom. Null unless it failed.'),
    chatUrl: Type.String({
      description: 'The permalink of its chat, which holds every step.',
      examples: ['http://localhost:3000/chats/m4k2x8qdpw'],
    }),
    chatShortId: Type.String({ examples: ['m4k2x8qdpw'] }),
    usage: nullable(
      Type.Object(
        {
          inputTokens: Type.Integer(),
          outputTokens: Type.Integer(),
          steps: Type.Integer({ description: 'How often the model was asked.' }),
        },
        { title: 'ModelUsage', description: 'What the model was asked for. Null for a digest.' },
      ),
    ),
    event: nullable(
      Type.Object(
        {
          id: Type.String({ examples: ['evt_1r8d'] }),
          type: oneOf(eventTypes),
          createdAt: Timestamp,
          data: Type.Object({
            automationId: Type.String(),
            automationName: Type.String(),
            runId: Type.String(),
            chatUrl: Type.String(),
            summary: Type.Optional(Type.String({ description: 'Of a run that completed.' })),
            imageUrl: Type.Optional(Type.Null({ description: 'Reserved; of a run that completed.' })),
            reason: Type.Optional(Type.String({ description: 'Of a run that failed.' })),
          }),
          deliveries: Type.Array(
            Type.Object(
              {
                id: Type.String(),
                endpointId: Type.String(),
                url: Type.String(),
                state: oneOf(deliveryStates),
              },
              { title: 'EventDelivery', description: 'How one endpoint’s delivery of the event stands.' },
            ),
          ),
        },
        {
          title: 'AutomationRunEvent',
          description: 'The event that told of the run’s end. Null before the end, and once events of that time are no longer kept.',
        },
      ),
    ),
  },
  { title: 'AutomationRun', description: 'One run of an automation.' },
)

/** Every run that is found here is an automation's. */
function present(run: AgentRunInFull, services: AgentServices) {
  const shown = presentAgentRunInFull(run, services)
  return { ...shown, automationId: shown.automationId!, automationName: shown.automationName! }
}

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
      return reply.code(202).send(present(run, services))
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
    async (request) => present(await getAutomationRun(services, callerOf(request), request.params.id), services),
  )
}
