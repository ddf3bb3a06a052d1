import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { listAutomationRuns } from '../../../domain/agent-runs/agent-runs.ts'
import { requestAutomationRun } from '../../../domain/agent-runs/request-automation-run.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { expectRefusal } from '../../../../testing/http/requests.ts'
import { createEndpoint } from '../../../../testing/http/webhook-requests.ts'
import { beginOldest, openChat } from '../../../../testing/http/chat-requests.ts'

const url = '/app/api/automation-runs'

describe.each(routeStoreKinds)('automation runs on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  const get = async (runId: string, person = shop.admin) => (await person.page('GET', `${url}/${runId}`)).json()
  const stop = (runId: string) => shop.admin.page('POST', `${url}/${runId}/stop`)
  const now = () => service.clock.now().toISOString()

  test('a run includes the event of its end', async () => {
    const endpoint = await createEndpoint(shop, { url: 'https://hooks.example/a-secret-path' })
    const { runId, shortId, automationId } = await openChat(service, shop)
    expect(await get(runId)).toMatchObject({ id: runId, status: 'pending', event: null })
    const agent = await beginOldest(service)
    const usage = { inputTokens: 7, outputTokens: 5, steps: 2 }
    await agent.end({ status: 'completed', answer: { summary: '**Well.**', usage } })
    const chatUrl = `https://querypost.test/chats/${shortId}`
    const run = await get(runId)
    expect(run).toEqual({
      id: runId,
      automationId,
      automationName: 'Weekly revenue',
      agent: 'digest',
      status: 'completed',
      trigger: 'person',
      triggerId: shop.admin.caller.userId,
      requestedAt: now(),
      dueAt: null,
      missedCount: 0,
      isLate: false,
      startedAt: now(),
      endedAt: now(),
      summary: 'Well.',
      reason: null,
      isStopped: false,
      chatUrl,
      chatShortId: shortId,
      usage,
      event: {
        id: expect.stringMatching(/^evt_/),
        type: 'automation.run.completed',
        createdAt: now(),
        data: { automationId, automationName: 'Weekly revenue', runId, summary: 'Well.', chatUrl, imageUrl: null },
        deliveries: [
          { id: expect.stringMatching(/^dlv_/), endpointId: endpoint.id, url: 'https://hooks.example/a-secret-path', state: 'pending' },
        ],
      },
    })
    // Only admins see endpoints, and the rest of the URL may be a secret.
    const bob = await shop.addPerson('member', 'bob@shop.test')
    expect((await get(runId, bob)).event.deliveries).toEqual([{ ...run.event.deliveries[0], url: 'https://hooks.example' }])
    // Events are kept only for some weeks.
    await service.services.db.deleteFrom('webhook_deliveries').execute()
    await service.services.db.deleteFrom('webhook_events').execute()
    expect(await get(runId)).toEqual({ ...run, event: null })
    expectRefusal(await stop(runId), 'run_already_ended', { message: /already completed/ })
  })

  test('a pending run and a running run can be stopped', async () => {
    const pending = await openChat(service, shop)
    const stopped = await stop(pending.runId)
    expect(stopped.statusCode).toBe(200)
    const reason = 'Stopped by admin before it started.'
    expect(stopped.json()).toMatchObject({ status: 'failed', reason, isStopped: true, startedAt: null, endedAt: now(), summary: null })
    expect(stopped.json().event).toMatchObject({ type: 'automation.run.failed', data: { reason } })
    expect(stopped.json()).toEqual(await get(pending.runId))

    const { runId } = await openChat(service, shop)
    await beginOldest(service)
    // The worker that holds the run is asked to stop it, and records its end.
    expect((await stop(runId)).json()).toMatchObject({ status: 'running', reason: null })
    const row = await service.services.db.selectFrom('agent_runs').selectAll().where('id', '=', runId).executeTakeFirstOrThrow()
    expect(row.stop_requested_by).toBe(shop.admin.caller.userId)
    await service.services.db.deleteFrom('chat_messages').where('agent_run_id', '=', runId).execute()
    await service.services.db.deleteFrom('agent_runs').where('id', '=', runId).execute()
  })

  test('a late run is marked as late', async () => {
    const { automationId } = await openChat(service, shop)
    await (await beginOldest(service)).end({ status: 'completed', answer: { summary: 'Well.' } })
    const { db, clock, random } = service.services
    const { organizationId, userId } = shop.admin.caller
    const automation = { id: automationId, organizationId, name: 'A', instructions: 'B', agent: 'digest', createdBy: userId } as const
    const runWith = async (due: { at: Date; missedCount: number }) => {
      await service.clock.advance(1)
      const trigger = { trigger: 'schedule', triggerId: automationId, due } as const
      const requested = await db.transaction().execute((tx) => requestAutomationRun({ tx, clock, random }, automation, trigger))
      await (await beginOldest(service)).end({ status: 'completed', answer: { summary: 'Well.' } })
      return get(requested!.runId)
    }
    const ago = (ms: number) => new Date(clock.now().getTime() + 1 - ms)
    const inTime = await runWith({ at: ago(59_999), missedCount: 0 })
    const late = await runWith({ at: ago(60_000), missedCount: 0 })
    const missed = await runWith({ at: ago(0), missedCount: 2 })
    expect([inTime, late, missed].map(({ isLate, missedCount }) => [isLate, missedCount])).toEqual([
      [false, 0],
      [true, 0],
      [true, 2],
    ])
    // The history, newest first, page by page.
    const list = (before?: string) =>
      listAutomationRuns(service.services, shop.admin.caller, { automationId, count: 2, ...(before && { before }) })
    expect((await list()).map(({ id }) => id)).toEqual([missed.id, late.id])
    expect((await list(late.id)).map(({ id }) => id)).toEqual([inTime.id, expect.any(String)])
    expect(await list('arun_nothing')).toEqual([])
  })

  test.each(['arun_nothing', 'nonsense', 'arun_\0'])('returns 404 for the run %j', async (id) => {
    for (const answer of [await shop.admin.page('GET', `${url}/${encodeURIComponent(id)}`), await stop(encodeURIComponent(id))]) {
      expectRefusal(answer, 'automation_run_not_found')
    }
  })
})
