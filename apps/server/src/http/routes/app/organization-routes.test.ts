import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startTestService,
  type TestOrganization,
  type TestPerson,
  type TestService,
} from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { noCostLimits } from '../../../model/cost-limits.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'
import { createEndpoint, publish } from '../../../../testing/http/webhook-requests.ts'

describe.each(routeStoreKinds)('the organization on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let bank: TestOrganization
  let member: TestPerson

  beforeAll(async () => {
    service = await startTestService(kind, { worker: false })
    shop = await service.addOrganization('shop')
    bank = await service.addOrganization('bank')
    member = await shop.addPerson('member', 'member@shop.test')
  })
  afterAll(() => service.stop())

  const url = '/app/api/organization'
  const get = async (person: TestPerson) => (await person.page('GET', url)).json()

  test('all members can read it; webhooks are on by default', async () => {
    const expected = { id: shop.admin.caller.organizationId, name: 'shop', webhooksEnabled: true, chartPalette: null, publicLinksEnabled: true, memberUploadsEnabled: false, costLimits: noCostLimits, secondFactorRequired: false, ssoRequired: false }
    expect(await get(shop.admin)).toEqual(expected)
    expect(await get(member)).toEqual(expected)
  })

  test('an admin can switch webhooks off and on; while off, no event is delivered', async () => {
    await createEndpoint(shop)
    const off = await shop.admin.page('PATCH', url, { webhooksEnabled: false })
    expect(off.statusCode).toBe(200)
    expect(off.json()).toEqual({ id: shop.admin.caller.organizationId, name: 'shop', webhooksEnabled: false, chartPalette: null, publicLinksEnabled: true, memberUploadsEnabled: false, costLimits: noCostLimits, secondFactorRequired: false, ssoRequired: false })
    expect(await get(member)).toMatchObject({ webhooksEnabled: false })
    expect(await get(bank.admin)).toMatchObject({ webhooksEnabled: true })
    expect((await publish(service, shop)).deliveryIds).toEqual([])
    expect((await shop.admin.page('PATCH', url, {})).json()).toMatchObject({ webhooksEnabled: false })
    expect((await shop.admin.page('PATCH', url, { webhooksEnabled: true })).json()).toMatchObject({ webhooksEnabled: true })
    expect((await publish(service, shop)).deliveryIds).toHaveLength(1)
  })

  test('an admin can rename it', async () => {
    expect((await bank.admin.page('PATCH', url, { name: '  The bank ' })).json()).toMatchObject({ name: 'The bank' })
    expect(await get(bank.admin)).toMatchObject({ name: 'The bank', webhooksEnabled: true })
    expect((await bank.admin.api('GET', '/api/me')).json()).toMatchObject({ organization: { name: 'The bank' } })
    expect(await get(member)).toMatchObject({ name: 'shop' })
  })

  test('an admin can choose the colors of charts, and reset them', async () => {
    const chartPalette = ['#0072b2', '#e69f00']
    const saved = await shop.admin.page('PATCH', url, { chartPalette: ['#0072B2', '#e69f00'] })
    expect(saved.json()).toMatchObject({ chartPalette, webhooksEnabled: true })
    expect((await member.page('GET', '/app/api/session')).json()).toMatchObject({ organization: { chartPalette } })
    expect(await get(bank.admin)).toMatchObject({ chartPalette: null })
    expect((await shop.admin.page('PATCH', url, { name: 'shop' })).json()).toMatchObject({ chartPalette })
    expect((await shop.admin.page('PATCH', url, { chartPalette: null })).json()).toMatchObject({ chartPalette: null })
    expect((await member.page('GET', '/app/api/session')).json()).toMatchObject({ organization: { chartPalette: null } })
  })

  test('a member cannot change it', async () => {
    expectRefusal(await member.page('PATCH', url, { webhooksEnabled: false }), 'forbidden', { message: /admin/ })
    expect(await get(member)).toMatchObject({ webhooksEnabled: true })
  })

  test.each([
    [{ webhooksEnabled: 'no' }, '/webhooksEnabled'],
    [{ webhooksEnabled: null }, '/webhooksEnabled'],
    [{ chartPalette: ['#0072b2'] }, '/chartPalette'],
    [{ chartPalette: ['#0072b2', 'red'] }, '/chartPalette'],
    [{ chartPalette: ['#0072b2', 5] }, '/chartPalette/1'],
    [{ chartPalette: '#0072b2' }, '/chartPalette'],
    [{ name: '' }, '/name'],
    [{ name: 'x'.repeat(101) }, '/name'],
    [{ role: 'admin' }, '/role'],
  ])('rejects the body %o', async (body, place) => {
    expectRefusal(await shop.admin.page('PATCH', url, body), 'invalid_request', at(place))
  })
})
