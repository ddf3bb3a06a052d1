import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestService } from '../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../testing/store/test-store.ts'
import { storeQuery, storeReference } from '../../../testing/http/requests.ts'

describe.each(routeStoreKinds)('permalinks on %s', (kind) => {
  let service: TestService
  let chatPath: string

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    const shop = await service.addOrganization('shop')
    const { shortId } = await storeReference(shop, (await storeQuery(shop, 'select 1')).id)
    const data = { name: 'A secret plan', instructions: 'Look.', references: [shortId] }
    const automation = (await shop.admin.page('POST', '/app/api/automations', data)).json()
    const run = (await shop.admin.page('POST', `/app/api/automations/${automation.id}/runs`)).json()
    chatPath = `/chats/${run.chatShortId}`
  })
  afterAll(() => service.stop())

  test('to a chat return 200 for anyone, without any of its content', async () => {
    const answer = await service.app.inject(chatPath)
    expect(answer.statusCode).toBe(200)
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(answer.body).not.toContain('A secret plan')
  })

  test.each(['/chats/aaaaaaaaaa', '/chats/short', '/chats/%00', `/chats/${'a'.repeat(5000)}`, '/q/aaaaaaaaaa'])(
    'return 404: %s',
    async (url) => {
      const { statusCode } = await service.app.inject(url)
      expect(statusCode).toBeGreaterThanOrEqual(400)
      expect(statusCode).toBeLessThan(500)
    },
  )

  test('of chats and references are distinct', async () => {
    expect((await service.app.inject(chatPath.replace('/chats/', '/q/'))).statusCode).toBe(404)
  })
})
