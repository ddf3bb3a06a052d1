import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectRefusal } from '../../../../testing/http/requests.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'

let service: TestService
let shop: TestOrganization

beforeAll(async () => {
  service = await startTestService('postgres')
  shop = await service.addOrganization('shop')
})
afterAll(() => service.stop())

test('admins see every table, largest first, with what limits it', async () => {
  const { items } = (await shop.admin.page('GET', '/app/api/storage')).json<{ items: { table: string; sizeBytes: number; kept: string }[] }>()
  expect(items.find(({ table }) => table === 'runs')).toMatchObject({ sizeBytes: expect.any(Number), kept: 'RUN_DAYS=90' })
  expect(items.find(({ table }) => table === 'audit_log')).toMatchObject({ kept: 'AUDIT_LOG_DAYS=400' })
  expect(items.filter(({ kept }) => kept === 'unknown to this version').map(({ table }) => table)).toEqual([])
  const sizes = items.map(({ sizeBytes }) => sizeBytes)
  expect(sizes).toEqual(sizes.toSorted((one, other) => other - one))
})

test('members see nothing, and neither do admins once there is another organization', async () => {
  const member = await shop.addPerson('member', 'grace@shop.test')
  expectRefusal(await member.page('GET', '/app/api/storage'), 'forbidden')
  const other = await service.addOrganization('other')
  for (const { admin } of [shop, other]) {
    expectRefusal(await admin.page('GET', '/app/api/storage'), 'forbidden', { message: /several organizations/ })
  }
})
