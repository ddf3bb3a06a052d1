import { Type } from 'typebox'
import { listAlertChanges, snoozeAlert } from '../../../domain/automations/alerts/alerts.ts'
import {
  createAutomation,
  deleteAutomation,
  editAutomation,
  getAutomation,
  listAutomations,
} from '../../../domain/automations/automations.ts'
import { digestBacktest } from '../../../domain/automations/backtests/digest-backtest.ts'
import { getModelBacktest, writePastSummary } from '../../../domain/automations/backtests/model-backtest.ts'
import { backtest } from '../../../domain/automations/backtests/backtest.ts'
import { previewSchedule } from '../../../domain/automations/preview-schedule.ts'
import { listRunsOfAutomation, runAutomation } from '../../../domain/automations/run-automation.ts'
import type { AgentServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { optionalBody } from '../../body-parsers.ts'
import { noContent } from '../../page-responses.ts'
import { untilDisconnect } from '../../until-disconnect.ts'
import { presentAgentRun, presentAgentRunInFull } from '../../present-agent-run.ts'
import { presentAlertChange, presentAutomation, presentBacktest, presentDigestBacktest, presentModelBacktest } from '../../present-automation.ts'
import { closed, listPage, NullableTimestamp, PageQuery } from '../../schemas.ts'
import {
  AlertChanges,
  Automation,
  AutomationChange,
  AutomationRun,
  Backtest,
  BacktestRequest,
  DigestBacktest,
  DigestBacktestRequest,
  ListedAutomationRun,
  ModelBacktest,
  ModelSummary,
  NewAutomation,
  PastSummaryRequest,
  Schedule,
  SchedulePreview,
} from '../../schemas/automation-schemas.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ id: Type.String() })

const one = '/app/api/automations/:id'

/** Automations, for all members of the organization. */
export function appAutomationRoutes(api: Api, services: AgentServices): void {
  const present = (automation: Parameters<typeof presentAutomation>[0]) => presentAutomation(automation, services)

  api.get(
    '/app/api/automations',
    { schema: { querystring: PageQuery, response: { 200: listPage(Automation) } } },
    async (request) => {
      const page = await listAutomations(services, callerOf(request), request.query)
      return { ...page, items: page.items.map(present) }
    },
  )

  api.post(
    '/app/api/automations',
    { schema: { body: NewAutomation, response: { 201: Automation } } },
    async (request, reply) =>
      reply.code(201).send(present(await createAutomation(services, callerOf(request), request.body))),
  )

  api.post(
    '/app/api/automations/backtest',
    { schema: { body: BacktestRequest, response: { 200: Backtest } } },
    async (request) => presentBacktest(await backtest(services, callerOf(request), request.body)),
  )

  api.post(
    '/app/api/automations/digest-backtest',
    { schema: { body: DigestBacktestRequest, response: { 200: DigestBacktest } } },
    async (request, reply) =>
      untilDisconnect(reply, async (signal) => presentDigestBacktest(await digestBacktest(services, callerOf(request), { ...request.body, signal }))),
  )

  api.get(`${one}/model-backtest`, { schema: { params: Params, response: { 200: ModelBacktest } } }, async (request) =>
    presentModelBacktest(await getModelBacktest(services, callerOf(request), request.params.id)),
  )

  api.post(
    `${one}/model-backtest`,
    { schema: { params: Params, body: PastSummaryRequest, response: { 200: ModelSummary } } },
    async (request, reply) =>
      untilDisconnect(reply, (signal) =>
        writePastSummary(services, callerOf(request), { automationId: request.params.id, ...request.body, signal }),
      ),
  )

  api.get(one, { schema: { params: Params, response: { 200: Automation } } }, async (request) =>
    present(await getAutomation(services, callerOf(request), request.params.id)),
  )

  api.patch(
    one,
    { schema: { params: Params, body: AutomationChange, response: { 200: Automation } } },
    async (request) => present(await editAutomation(services, callerOf(request), request.params.id, request.body)),
  )

  api.delete(one, { schema: { params: Params, response: noContent } }, async (request, reply) => {
    await deleteAutomation(services, callerOf(request), request.params.id)
    return reply.code(204).send()
  })

  api.post(
    `${one}/snooze`,
    { schema: { params: Params, body: Type.Object({ until: NullableTimestamp }, { title: 'Snooze', ...closed }), response: { 200: Automation } } },
    async (request) => {
      const { until } = request.body
      return present(await snoozeAlert(services, callerOf(request), request.params.id, { until: until === null ? null : new Date(until) }))
    },
  )

  api.get(
    `${one}/alert-changes`,
    {
      schema: {
        params: Params,
        querystring: Type.Object({ before: Type.Optional(Type.Integer({ minimum: 1 })) }, closed),
        response: { 200: AlertChanges },
      },
    },
    async (request) => {
      const page = await listAlertChanges(services, callerOf(request), request.params.id, request.query)
      return { ...page, items: page.items.map(presentAlertChange) }
    },
  )

  api.get(
    `${one}/runs`,
    { schema: { params: Params, querystring: PageQuery, response: { 200: listPage(ListedAutomationRun) } } },
    async (request) => {
      const page = await listRunsOfAutomation(services, callerOf(request), request.params.id, request.query)
      return { ...page, items: page.items.map((run) => presentAgentRun(run, services)) }
    },
  )

  api.post(
    `${one}/runs`,
    { ...optionalBody, schema: { params: Params, body: Type.Object({}, closed), response: { 202: AutomationRun } } },
    async (request, reply) => {
      const run = await runAutomation(services, callerOf(request), request.params.id, { trigger: 'person' })
      return reply.code(202).send(presentAgentRunInFull(run, services))
    },
  )

  api.post(
    '/app/api/schedules/preview',
    { schema: { body: Schedule, response: { 200: SchedulePreview } } },
    async (request) => ({ times: previewSchedule(services, request.body).map((time) => time.toISOString()) }),
  )
}
