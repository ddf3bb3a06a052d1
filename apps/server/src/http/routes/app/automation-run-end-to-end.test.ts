import { expect, test } from 'vitest'
import { listenToEvents } from '../../../../testing/event-stream.ts'
import { startTestService } from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { automationsUrl, createAutomation, storeReferenceTo } from '../../../../testing/http/automation-requests.ts'
import { createEndpoint } from '../../../../testing/http/webhook-requests.ts'

test.each(routeStoreKinds)('on %s a manual automation run can be followed to its end, and its event is delivered', async (kind) => {
  const service = await startTestService(kind)
  try {
    const shop = await service.addOrganization('shop')
    const { admin } = shop
    await createEndpoint(shop)
    const shortId = await storeReferenceTo(shop, 'select sum(n) as total from numbers', 'Total')
    const automation = await createAutomation(shop, { references: [shortId] })
    const answer = await admin.page('POST', `${automationsUrl}/${automation.id}/runs`, {})
    expect(answer.statusCode, answer.body).toBe(202)
    const { id, chatShortId } = answer.json()

    const stream = await listenToEvents(service, admin, { url: `/app/api/chats/${chatShortId}/events` })
    const kinds = new Map<number, string>()
    let status = ''
    while (status !== 'completed') {
      const heard = await stream.next()
      const { run, messages } = (heard as { data: { run: { status: string; reason: string }; messages: { number: number; kind: string }[] } }).data
      for (const message of messages) kinds.set(message.number, message.kind)
      status = run.status
      expect(run.reason).toBeNull()
    }
    stream.close()
    expect([...kinds.values()]).toEqual(expect.arrayContaining(['instruction', 'query_run', 'summary']))

    const run = (await admin.page('GET', `/app/api/automation-runs/${id}`)).json()
    expect(run.summary).toContain('45')
    expect(run.event).toMatchObject({ type: 'automation.run.completed', data: { runId: id, summary: run.summary } })
    expect(run.event.deliveries).toHaveLength(1)
    const latest = (await admin.page('GET', `${automationsUrl}/${automation.id}`)).json().latestRun
    expect(latest).toMatchObject({ id, status: 'completed', chatUrl: run.chatUrl })
  } finally {
    await service.stop()
  }
})
