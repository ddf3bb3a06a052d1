import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cheapHash } from '../../../../testing/cheap-hash.ts'
import { referenceTile } from '../../../../testing/http/board-requests.ts'
import { anyone } from '../../../../testing/http/people.ts'
import { at, endOf, expectRefusal, parameter, storeQuery, storeReference } from '../../../../testing/http/requests.ts'
import { pollPause } from '../../../../testing/poll-pause.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../../../testing/test-service.ts'
import { publicLinkLimits } from '../../../model/sharing/public-link.ts'

interface Link {
  id: string
  url: string
  viewCount: number
  lastViewedAt: string | null
  isExpired: boolean
}

const sql = 'select n, {{secret}} as secret from numbers where n >= {{least}} order by n'

describe.each(routeStoreKinds)('public links on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let member: TestPerson
  let bank: TestOrganization
  let reference: string
  let board: string
  let withoutPassword: Link

  beforeAll(async () => {
    service = await startTestService(kind)
    shop = await service.addOrganization('shop')
    member = await shop.addPerson('member', 'mia@shop.test')
    bank = await service.addOrganization('bank')
    const parameters = [parameter('least', 'number', '7'), parameter('secret', 'text', 'hidden')]
    const query = await storeQuery(shop, sql)
    reference = (await storeReference(shop, query.id, { title: 'Numbers', description: 'All of them', parameters })).shortId
    const image = (await shop.admin.page('POST', '/app/api/board-images', Buffer.from('GIF89a'))).json<{ id: string }>()
    const answer = await shop.admin.page('POST', '/app/api/boards', {
      title: 'Overview',
      parameters: [{ name: 'from', type: 'number', defaultValue: '7' }],
      tiles: [
        referenceTile('a', reference, 0, { title: 'From', parameterMapping: { least: 'from' } }),
        { id: 'picture', kind: 'image', imageId: image.id, text: 'Logo', x: 0, y: 4, width: 2, height: 2 },
      ],
    })
    board = answer.json<{ shortId: string }>().shortId
    for (const least of [7, 8]) {
      const started = shop.admin.page('POST', `/app/api/references/${reference}/runs`, { parameterValues: { least } })
      await endOf(service, shop, started)
    }
    withoutPassword = await share({ kind: 'board', shortId: board }, { downloads: ['csv'] })
  })
  afterAll(() => service.stop())

  async function share(item: { kind: 'board' | 'reference'; shortId: string }, body: object = {}, by = member): Promise<Link> {
    const answer = await by.page('POST', `/app/api/${item.kind}s/${item.shortId}/public-links`, body)
    expect(answer.statusCode, answer.body).toBe(201)
    return answer.json()
  }
  /** Without the time that a real hash takes. */
  const setPassword = ({ id }: Link, password: string) =>
    service.services.db.updateTable('public_links').set({ password_hash: cheapHash(password) }).where('id', '=', id).execute()
  const shareReference = (body: object) => share({ kind: 'reference', shortId: reference }, body)
  const tokenOf = ({ url }: Link) => /^https:\/\/querypost\.test\/s\/([0-9A-Za-z]{24})$/.exec(url)![1]!
  const addressOf = (link: Link) => `/public/api/links/${tokenOf(link)}`
  const viewing = (link: Link, pass?: string) => {
    const headers = pass === undefined ? {} : { authorization: `Bearer ${pass}` }
    return {
      open: () => service.app.inject({ url: addressOf(link), headers }),
      get: (rest: string) => service.app.inject({ url: `${addressOf(link)}${rest}`, headers }),
      post: (action: string, payload: object = {}) =>
        service.app.inject({ method: 'POST', url: `${addressOf(link)}/${action}`, payload, headers }),
    }
  }
  const result = (link: Link, values: object = {}, tile = 'result') =>
    viewing(link).get(`/tiles/${tile}/result?values=${encodeURIComponent(JSON.stringify(values))}`)
  const rowsOf = (answer: LightMyRequestResponse) => {
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json<{ rows: unknown[][] }>().rows
  }

  test('a viewer sees the title, the tiles and stored results, and nothing else', async () => {
    const page = await viewing(withoutPassword).open()
    expect(page.json()).toEqual({
      kind: 'board',
      title: 'Overview',
      description: null,
      parameters: [],
      tabs: [],
      tiles: [
        { id: 'a', kind: 'reference', title: 'From', text: null, x: 0, y: 0, width: 6, height: 4 },
        { id: 'picture', kind: 'image', title: null, text: 'Logo', x: 0, y: 4, width: 2, height: 2 },
      ],
      allowsRefresh: false,
      downloads: ['csv'],
      chartPalette: null,
      tokenExpiresInSeconds: null,
    })
    expect(page.headers).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    })
    expect(page.headers['set-cookie']).toBeUndefined()
    expect((await viewing(withoutPassword).post('results')).json()).toEqual({
      tiles: [{ tileId: 'a', status: 'ready', completedAt: expect.any(String) }],
    })
    expect(rowsOf(await result(withoutPassword, {}, 'a'))).toEqual([[7, 'hidden'], [8, 'hidden'], [9, 'hidden']])
    const image = await viewing(withoutPassword).get('/tiles/picture/image')
    expect([image.headers['content-type'], image.body]).toEqual(['image/gif', 'GIF89a'])
    expectRefusal(await viewing(withoutPassword).get('/tiles/a/image'), 'board_image_not_found')
    expectRefusal(await result(withoutPassword, {}, 'picture'), 'result_not_available')
    expectRefusal(await result(withoutPassword, {}, 'b'), 'result_not_available')
  })

  test('the SQL is shown only if the link allows it', async () => {
    const tile = async (body: object) => (await viewing(await shareReference(body)).open()).json().tiles[0]
    expect(await tile({})).not.toHaveProperty('sql')
    expect(await tile({ showsSql: true })).toMatchObject({ id: 'result', title: 'Numbers', sql })
  })

  test('only public parameters can be changed, and only to allowed values', async () => {
    const link = await shareReference({ parameters: [{ name: 'least', values: ['8.0', 9] }] })
    expect((await viewing(link).open()).json().parameters).toEqual([
      {
        name: 'least',
        displayName: 'The least',
        description: '',
        type: 'number',
        isList: false,
        value: 7,
        choices: [7, '8.0', 9].map((value) => ({ value, label: String(value) })),
      },
    ])
    expect(rowsOf(await result(link))).toHaveLength(3)
    expectRefusal(await result(link, { least: 6 }), 'parameter_invalid')
    expectRefusal(await result(link, { secret: 'other' }), 'parameter_invalid')
    expectRefusal(await viewing(link).post('results', { parameters: { LEAST: 9 } }), 'parameter_invalid')
    // Nobody has run the query with this value, and viewers of this link cannot.
    expect((await viewing(link).post('results', { parameters: { least: 9 } })).json().tiles).toEqual([
      { tileId: 'result', status: 'missing', completedAt: null },
    ])
    expectRefusal(await result(link, { least: 9 }), 'result_not_available')
    expectRefusal(await viewing(link).post('refresh', { parameters: { least: 9 } }), 'forbidden')
    const bad = await member.page('POST', `/app/api/references/${reference}/public-links`, { parameters: [{ name: 'x', values: [1] }] })
    expectRefusal(bad, 'invalid_request', at('/parameters/0/name'))
  })

  test('downloads are limited to the formats of the link', async () => {
    const csv = await viewing(withoutPassword).get('/tiles/a/download?format=csv')
    expect([csv.statusCode, csv.headers['content-disposition']]).toEqual([200, expect.stringContaining('filename="From.csv"')])
    expect(csv.body).toBe('n,secret\r\n7,hidden\r\n8,hidden\r\n9,hidden\r\n')
    expectRefusal(await viewing(withoutPassword).get('/tiles/a/download?format=png'), 'forbidden')
    const png = await viewing(await shareReference({ downloads: ['png'] })).get('/tiles/result/download?format=png')
    expect([png.headers['content-type'], png.rawPayload.subarray(1, 4).toString()]).toEqual(['image/png', 'PNG'])
    expectRefusal(await viewing(withoutPassword).get('/tiles/a/download?format=xlsx'), 'forbidden')
    expectRefusal(await viewing(withoutPassword).get('/download?format=png'), 'forbidden')
    const all = viewing(await share({ kind: 'board', shortId: board }, { downloads: ['xlsx', 'png'] }))
    const files = [await all.get('/tiles/a/download?format=xlsx'), await all.get('/download?format=xlsx'), await all.get('/download?format=png')]
    expect(files.map(({ headers }) => /filename="([^"]+)"/.exec(String(headers['content-disposition']))![1])).toEqual([
      'From.xlsx',
      'Overview.xlsx',
      'Overview.png',
    ])
    expect(files.map(({ rawPayload }) => rawPayload.subarray(0, 4).toString('latin1').replaceAll(/\W/g, ''))).toEqual(['PK', 'PK', 'PNG'])
  })

  test('viewers may refresh if the link allows it, until its limit', async () => {
    const link = await shareReference({ allowsRefresh: true, parameters: [{ name: 'least', values: [3, 4] }] })
    const settle = async (parameters: object) => {
      for (;;) {
        const [tile] = (await viewing(link).post('results', { parameters })).json().tiles
        if (tile.status !== 'running') return tile.status
        await pollPause()
      }
    }
    const refresh = (parameters: object) => viewing(link).post('refresh', { parameters })
    expect((await refresh({ least: 3 })).statusCode).toBe(202)
    expect(await settle({ least: 3 })).toBe('ready')
    expect(rowsOf(await result(link, { least: 3 }))).toHaveLength(7)
    const { runs } = publicLinkLimits
    const ofLink = service.services.db.selectFrom('viewer_runs').selectAll().where('viewer_id', '=', link.id)
    // A result of the last minute is not made again.
    await refresh({ least: 3 })
    expect(await ofLink.execute()).toHaveLength(1)
    const requested_at = service.clock.now()
    const used = Array.from({ length: runs.perHour - 1 }, (_, number) => ({ viewer_id: link.id, run_id: `used ${number}`, requested_at }))
    await service.services.db.insertInto('viewer_runs').values(used).execute()
    expectRefusal(await refresh({ least: 4 }), 'too_many_requests')
    const runOfLink = (await ofLink.execute()).find(({ run_id }) => run_id.startsWith('run_'))!
    const run = (await shop.admin.page('GET', `/app/api/runs/${runOfLink.run_id}`)).json()
    expect(run.triggeredBy).toMatchObject({ kind: 'link', name: null })
  })

  test('a password is stored as a hash, its pass opens only this link, and a new password ends it', async () => {
    const link = await shareReference({ password: 'correct horse battery' })
    const other = await shareReference({})
    const ofLink = service.services.db.selectFrom('public_links').selectAll().where('id', '=', link.id)
    const stored = Object.values(await ofLink.executeTakeFirstOrThrow()).map((value) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : JSON.stringify(value),
    )
    expect(stored.join()).not.toContain(tokenOf(link))
    expect(stored.join()).not.toContain('correct horse')
    await setPassword(other, 'correct horse battery')
    for (const answer of [await viewing(link).open(), await result(link), await viewing(link).post('results')]) {
      expectRefusal(answer, 'public_link_password_required')
    }
    expectRefusal(await viewing(link).post('unlock', { password: 'correct horse' }), 'public_link_password_wrong')
    const { pass } = (await viewing(link).post('unlock', { password: 'correct horse battery' })).json<{ pass: string }>()
    expect((await viewing(link, pass).open()).statusCode).toBe(200)
    expectRefusal(await viewing(other, pass).open(), 'public_link_password_required')
    expectRefusal(await viewing(link, `${pass.slice(0, -2)}AA`).open(), 'public_link_password_required')
    await member.page('PATCH', `/app/api/public-links/${link.id}`, { password: 'another long password' })
    expectRefusal(await viewing(link, pass).open(), 'public_link_password_required')
    await member.page('PATCH', `/app/api/public-links/${link.id}`, { password: null })
    expect((await viewing(link).open()).statusCode).toBe(200)
  })

  test('passwords cannot be guessed quickly', async () => {
    const link = await shareReference({})
    await setPassword(link, 'correct horse battery')
    const guesses = Array.from({ length: 12 }, (_, number) => viewing(link).post('unlock', { password: `guess ${number}` }))
    const codes = (await Promise.all(guesses)).map((answer) => answer.json<{ code: string }>().code)
    expect(codes.filter((code) => code === 'public_link_password_wrong')).toHaveLength(10)
    expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(2)
    expectRefusal(await viewing(link).post('unlock', { password: 'correct horse battery' }), 'too_many_requests')
  })

  test('views are counted and listed with the link', async () => {
    const link = await shareReference({})
    expect(link).toMatchObject({ viewCount: 0, lastViewedAt: null, isExpired: false })
    await viewing(link).open()
    await viewing(link).open()
    await viewing(link).post('results')
    const listed = (await member.page('GET', `/app/api/references/${reference}/public-links`)).json().items as Link[]
    expect(listed.find(({ id }) => id === link.id)).toEqual({ ...link, viewCount: 2, lastViewedAt: service.clock.now().toISOString() })
  })

  test('a link that cannot be opened is answered in the same way, whatever the reason', async () => {
    const gone = (await storeReference(shop, (await storeQuery(shop, 'select 1')).id, { title: 'Gone' })).shortId
    const deleted = await share({ kind: 'reference', shortId: gone })
    const revoked = await shareReference({})
    const expiring = await shareReference({ expiresAt: new Date(service.clock.now().getTime() + 1000).toISOString() })
    const never = { ...revoked, url: `https://querypost.test/s/${'x'.repeat(24)}` }
    expect((await viewing(expiring).open()).statusCode).toBe(200)
    await member.page('DELETE', `/app/api/references/${gone}`)
    expect((await member.page('DELETE', `/app/api/public-links/${revoked.id}`)).statusCode).toBe(204)
    await service.clock.advance(1000)
    const answers = []
    for (const link of [deleted, revoked, expiring, never]) {
      answers.push(await viewing(link).open(), await result(link), await viewing(link).post('unlock', { password: 'a' }))
    }
    for (const answer of answers) {
      expectRefusal(answer, 'public_link_not_found')
      expect(answer.body).toBe(answers[0]!.body)
    }
    expectRefusal(await member.page('DELETE', `/app/api/public-links/${revoked.id}`), 'public_link_not_found')
    // An expired link works again once it is extended.
    await member.page('PATCH', `/app/api/public-links/${expiring.id}`, { expiresAt: null })
    expect((await viewing(expiring).open()).statusCode).toBe(200)
    const past = await member.page('PATCH', `/app/api/public-links/${expiring.id}`, { expiresAt: '2020-01-01T00:00:00.000Z' })
    expectRefusal(past, 'invalid_request', at('/expiresAt'))
  })

  test('an admin turns all links off and on, and members cannot share until then', async () => {
    expectRefusal(await member.page('PATCH', '/app/api/organization', { publicLinksEnabled: false }), 'forbidden')
    await shop.admin.page('PATCH', '/app/api/organization', { publicLinksEnabled: false })
    expectRefusal(await viewing(withoutPassword).open(), 'public_link_not_found')
    expectRefusal(await member.page('POST', `/app/api/boards/${board}/public-links`, {}), 'forbidden')
    await shop.admin.page('PATCH', '/app/api/organization', { publicLinksEnabled: true })
    expect((await viewing(withoutPassword).open()).statusCode).toBe(200)
  })

  test('admins see all links of their organization, and nobody those of another one', async () => {
    const all = (await shop.admin.page('GET', '/app/api/public-links?limit=100')).json().items as Link[]
    expect(all.map(({ id }) => id)).toContain(withoutPassword.id)
    expectRefusal(await member.page('GET', '/app/api/public-links'), 'forbidden')
    expect((await bank.admin.page('GET', '/app/api/public-links')).json().items).toEqual([])
    expectRefusal(await bank.admin.page('DELETE', `/app/api/public-links/${withoutPassword.id}`), 'public_link_not_found')
    expectRefusal(await bank.admin.page('POST', `/app/api/boards/${board}/public-links`, {}), 'board_not_found')
    expectRefusal(await anyone(service).post(`/app/api/boards/${board}/public-links`), 'unauthenticated')
  })
})
