import type { Figure, FigureSource } from '@querypost/answers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { beginOldest, openChat } from '../../../testing/http/chat-requests.ts'
import { expectRefusal, storeQuery } from '../../../testing/http/requests.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../testing/store/test-store.ts'

const source = (runId: string): FigureSource => ({ runId, sql: 'select 1', parameters: { n: 1 }, resultHash: `hash of ${runId}` })
const figure = (id: string, runId: string | null, expression: string | null): Figure => ({
  id,
  text: '12',
  isProven: runId !== null,
  value: runId && '12.4',
  unit: runId && '€',
  runId,
  expression,
  start: 0,
  end: 2,
  reason: runId ? null : 'Nobody knows.',
})

describe.each(routeStoreKinds)('the proof routes on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
  })
  afterAll(() => service.stop())

  const get = (path: string) => shop.admin.api('GET', path)

  test('return the proven figures of a summary, with the runs that each was computed from', async () => {
    const { runId, shortId } = await openChat(service, shop)
    const agent = await beginOldest(service)
    await agent.end({
      status: 'completed',
      answer: {
        summary: '12, 12 and ~~12~~',
        figures: [figure('f1', 'run_a', 'sum(n)'), figure('f2', 'run_a', 'difference(sum(n) of run_b, sum(n))'), figure('f3', null, null)],
        sources: [source('run_a'), source('run_b')],
      },
    })
    const printed = { text: '12', value: '12.4', unit: '€' }
    const proof = {
      text: '12, 12 and ~~12~~',
      figures: [
        { id: 'f1', ...printed, ...source('run_a'), expression: 'sum(n)' },
        { id: 'f2', ...printed, ...source('run_a'), expression: 'difference(sum(n) of run_b, sum(n))', sources: [source('run_b')] },
      ],
    }
    const answer = await get(`/api/automation-runs/${runId}/proof`)
    expect([answer.statusCode, answer.json()]).toEqual([200, proof])
    expect((await get(`/api/chats/${shortId}/messages/2/proof`)).json()).toEqual(proof)
    expectRefusal(await get(`/api/chats/${shortId}/messages/1/proof`), 'proof_not_found', { message: /An agent did not write/ })
    for (const number of ['3', '0', '-2', '2.0', '02', 'x', '99999999999']) {
      expectRefusal(await get(`/api/chats/${shortId}/messages/${number}/proof`), 'message_not_found', { message: /has no message/ })
    }
  })

  test('have no proof of a run that has not completed, or of a text without figures', async () => {
    const { runId, shortId } = await openChat(service, shop)
    expectRefusal(await get(`/api/automation-runs/${runId}/proof`), 'proof_not_found', { message: /has no summary: it is pending/ })
    await (await beginOldest(service)).end({ status: 'completed', answer: { summary: 'Written long ago.' } })
    expectRefusal(await get(`/api/automation-runs/${runId}/proof`), 'proof_not_found', { message: /before figures were proven/ })
    expectRefusal(await get(`/api/chats/${shortId}/messages/2/proof`), 'proof_not_found', { message: /before figures were proven/ })
    const failing = await openChat(service, shop, 'Failing')
    await (await beginOldest(service)).end({ status: 'failed', reason: 'It broke.' })
    expectRefusal(await get(`/api/automation-runs/${failing.runId}/proof`), 'proof_not_found', { message: /it failed/ })
  })

  test('return 404 for unknown runs and chats', async () => {
    for (const unknown of ['arun_nothing', 'odd', 'x'.repeat(200)]) {
      expectRefusal(await get(`/api/automation-runs/${unknown}/proof`), 'automation_run_not_found')
      expectRefusal(await get(`/api/chats/${unknown}/messages/1/proof`), 'chat_not_found')
      expectRefusal(await get(`/api/runs/${unknown}/result`), 'run_not_found')
    }
  })

  test('have no result of a run that has not completed', async () => {
    const query = await storeQuery(shop, 'select 1 as one')
    const { id } = (await shop.admin.api('POST', `/api/queries/${query.id}/refresh`)).json<{ id: string }>()
    expectRefusal(await get(`/api/runs/${id}/result`), 'result_not_available', { message: /is pending/ })
  })

  test('require an API key', async () => {
    for (const url of ['/api/automation-runs/arun_1/proof', '/api/chats/abcdefghjk/messages/1/proof', '/api/runs/run_1/result']) {
      expectRefusal(await service.app.inject({ url }), 'unauthenticated')
    }
  })
})
