import { Type } from 'typebox'
import { agentKinds } from '../../../model/agent-run.ts'
import { comparisons, type Schedule } from '../../../model/automation.ts'
import {
  createAutomation,
  deleteAutomation,
  editAutomation,
  getAutomation,
  listAutomations,
} from '../../../domain/automations/automations.ts'
import type { ConditionInput } from '../../../domain/automations/check-automation.ts'
import { previewSchedule } from '../../../domain/automations/preview-schedule.ts'
import { listRunsOfAutomation, runAutomation } from '../../../domain/automations/run-automation.ts'
import type { AgentServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { optionalBody } from '../../body-parsers.ts'
import { presentAgentRun, presentAgentRunInFull } from '../../present-agent-run.ts'
import { presentAutomation } from '../../present-automation.ts'
import { closed, oneOf, PageQuery } from '../../schemas.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ id: Type.String() })

const Schedule = Type.Object({ cron: Type.String({ maxLength: 500 }), timeZone: Type.String({ maxLength: 100 }) }, closed)

const Condition = Type.Object(
  {
    reference: Type.String(),
    kind: oneOf(['row_count', 'value', 'changed']),
    column: Type.Optional(Type.String()),
    comparison: Type.Optional(oneOf(comparisons)),
    number: Type.Optional(Type.Number()),
    everyTime: Type.Optional(Type.Boolean()),
  },
  closed,
)

/** As a union the faults within would be told of twice, once for each of the two. */
const orNull = <Value>(schema: object) => Type.Optional(Type.Unsafe<Value | null>({ ...schema, type: ['object', 'null'] }))

const whenAndWho = {
  schedule: orNull<Schedule>(Schedule),
  condition: orNull<ConditionInput>(Condition),
  agent: Type.Optional(oneOf(agentKinds)),
  enabled: Type.Optional(Type.Boolean()),
}

const what = { name: Type.String(), instructions: Type.String(), references: Type.Array(Type.String()) }

const one = '/app/api/automations/:id'

/** Automations, for every member of the organization. */
export function appAutomationRoutes(api: Api, services: AgentServices): void {
  const present = (automation: Parameters<typeof presentAutomation>[0]) => presentAutomation(automation, services)

  api.get('/app/api/automations', { schema: { querystring: PageQuery } }, async (request) => {
    const page = await listAutomations(services, callerOf(request), request.query)
    return { ...page, items: page.items.map(present) }
  })

  api.post(
    '/app/api/automations',
    { schema: { body: Type.Object({ ...what, ...whenAndWho }, closed) } },
    async (request, reply) =>
      reply.code(201).send(present(await createAutomation(services, callerOf(request), request.body))),
  )

  api.get(one, { schema: { params: Params } }, async (request) =>
    present(await getAutomation(services, callerOf(request), request.params.id)),
  )

  api.patch(
    one,
    { schema: { params: Params, body: Type.Object({ ...Type.Partial(Type.Object(what)).properties, ...whenAndWho }, closed) } },
    async (request) => present(await editAutomation(services, callerOf(request), request.params.id, request.body)),
  )

  api.delete(one, { schema: { params: Params } }, async (request, reply) => {
    await deleteAutomation(services, callerOf(request), request.params.id)
    return reply.code(204).send()
  })

  api.get(`${one}/runs`, { schema: { params: Params, querystring: PageQuery } }, async (request) => {
    const page = await listRunsOfAutomation(services, callerOf(request), request.params.id, request.query)
    return { ...page, items: page.items.map((run) => presentAgentRun(run, services)) }
  })

  api.post(
    `${one}/runs`,
    { ...optionalBody, schema: { params: Params, body: Type.Object({}, closed) } },
    async (request, reply) => {
      const run = await runAutomation(services, callerOf(request), request.params.id, { trigger: 'person' })
      return reply.code(202).send(presentAgentRunInFull(run, services))
    },
  )

  api.post('/app/api/schedules/preview', { schema: { body: Schedule } }, async (request) => ({
    times: previewSchedule(services, request.body).map((time) => time.toISOString()),
  }))
}
