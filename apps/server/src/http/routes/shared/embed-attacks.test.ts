import { createHmac, generateKeyPairSync } from 'node:crypto'
import { importPKCS8, SignJWT } from 'jose'
import type { LightMyRequestResponse } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ifMatch, referenceTile } from '../../../../testing/http/board-requests.ts'
import { at, expectRefusal, parameter, storeQuery, storeReference } from '../../../../testing/http/requests.ts'
import { pollPause } from '../../../../testing/poll-pause.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../../testing/test-service.ts'

interface Secret {
  id: string
  secret: string
}

interface Claims {
  [claim: string]: unknown
}

const hour = 3600

/**
 * A shop shows each tenant its numbers: `tenant` is locked, `least` may be changed by the viewer. The tests try to see the rows of
 * another tenant.
 */
describe.each(routeStoreKinds)('embedding under attack on %s', (kind) => {
  let service: TestService
  let shop: TestOrganization
  let bank: TestOrganization
  let reference: string
  let board: string
  let secret: Secret

  const origins = (organization: TestOrganization, ...list: string[]) =>
    organization.admin.page('PUT', '/app/api/embedding/origins', { origins: list })
  const newSecret = async (organization: TestOrganization): Promise<Secret> =>
    (await organization.admin.page('POST', '/app/api/embed-secrets', { name: 'Customer portal' })).json()

  beforeAll(async () => {
    service = await startTestService(kind)
    shop = await service.addOrganization('shop')
    bank = await service.addOrganization('bank')
    const sql = 'select {{tenant}} as tenant, n from numbers where n >= {{least}} order by n'
    const parameters = [parameter('tenant', 'number', '0'), parameter('least', 'number', '8')]
    reference = (await storeReference(shop, (await storeQuery(shop, sql)).id, { title: 'Rows', parameters })).shortId
    const answer = await shop.admin.page('POST', '/app/api/boards', {
      title: 'Portal',
      parameters: [
        { name: 'tenant', type: 'number', defaultValue: '0' },
        { name: 'least', type: 'number', defaultValue: '8' },
      ],
      tiles: [
        referenceTile('own', reference, 0, { parameterMapping: { tenant: 'tenant', least: 'least' }, filters: { column: 'tenant', parameter: 'tenant' } }),
        // These would show the rows of the default tenant, or of one that the viewer chooses as another parameter.
        referenceTile('unmapped', reference, 4, { parameterMapping: { least: 'least' } }),
        referenceTile('crossed', reference, 8, { parameterMapping: { tenant: 'least' } }),
      ],
    })
    board = answer.json<{ shortId: string }>().shortId
    await origins(shop, 'https://app.example.com')
    secret = await newSecret(shop)
  })
  afterAll(() => service.stop())

  const nowSeconds = () => Math.floor(service.clock.now().getTime() / 1000)
  const claimsFor = (tenant: unknown, more: Claims = {}): Claims => ({
    aud: 'querypost-embed',
    resource: 'board',
    shortId: board,
    parameters: { tenant },
    viewerParameters: ['least'],
    iat: nowSeconds(),
    exp: nowSeconds() + hour,
    ...more,
  })
  const sign = (claims: Claims, { id, secret: key }: Secret = secret, header: object = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid: id, ...header }).sign(Buffer.from(key))
  /** Signs with HMAC whatever the header says. */
  const signRaw = (header: object, claims: Claims, key: string) => {
    const content = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
    return `${content}.${createHmac('sha256', key).update(content).digest('base64url')}`
  }
  const tokenFor = (tenant: unknown, more: Claims = {}) => sign(claimsFor(tenant, more))

  const send = (token: string, rest: string, options: { payload?: object | string; headers?: Record<string, string> } = {}) =>
    service.app.inject({
      url: `/public/api/embed/${rest}`,
      ...(options.payload !== undefined && { method: 'POST', payload: options.payload }),
      headers: { authorization: `Bearer ${token}`, ...options.headers },
    })
  const search = (values: object) => `values=${encodeURIComponent(JSON.stringify(values))}`
  const resultOf = (token: string, values: object = {}, tile = 'own') => send(token, `${board}/tiles/${tile}/result?${search(values)}`)
  const page = (token: string, headers: Record<string, string> = {}, shortId = board) =>
    service.app.inject({ url: `/embed/${shortId}?token=${encodeURIComponent(token)}`, headers })

  /** Runs what is missing for the values, and returns the distinct tenants in the rows. */
  async function tenantsSeen(token: string, values: object = {}): Promise<unknown[]> {
    await send(token, `${board}/refresh`, { payload: { parameters: values } })
    for (;;) {
      const { tiles } = (await send(token, `${board}/results`, { payload: { parameters: values } })).json()
      if (!tiles.some(({ status }: { status: string }) => status === 'running')) break
      await pollPause()
    }
    const answer = await resultOf(token, values)
    expect(answer.statusCode, answer.body).toBe(200)
    return [...new Set(answer.json<{ rows: unknown[][] }>().rows.map(([tenant]) => tenant))]
  }
  const expectRefusals = (answers: LightMyRequestResponse[], code: Parameters<typeof expectRefusal>[1]) => {
    for (const answer of answers) expectRefusal(answer, code)
  }

  test('a token shows the rows of its tenant, also after another tenant’s result was stored', async () => {
    const [one, two] = await Promise.all([tokenFor(1), tokenFor('2')])
    expect(await tenantsSeen(one)).toEqual([1])
    expect(await tenantsSeen(two)).toEqual([2])
    expect(await tenantsSeen(one, { least: 9 })).toEqual([1])
    const first = await resultOf(one)
    expect(first.headers.vary).toContain('authorization')
    // An ETag of another tenant's result matches nothing.
    const other = await send(two, `${board}/tiles/own/result?${search({})}`, { headers: { 'if-none-match': String(first.headers.etag) } })
    expect([other.statusCode, other.json().rows[0][0]]).toEqual([200, 2])
  })

  test('the locked value is neither shown nor can it be changed', async () => {
    const token = await tokenFor(1)
    const view = (await send(token, board)).json()
    expect(view.parameters.map(({ name }: { name: string }) => name)).toEqual(['least'])
    expect(view.tiles.map(({ id }: { id: string }) => id)).toEqual(['own'])
    expect(view.tiles[0]).not.toHaveProperty('filters')
    expect(view.tiles[0]).not.toHaveProperty('sql')
    expect(view.tokenExpiresInSeconds).toBe(hour)
  })

  test.each<[string, object]>([
    ['a number', { tenant: 2 }],
    ['its own value', { tenant: 1 }],
    ['text', { tenant: '2' }],
    ['a list', { tenant: [2] }],
    ['a boolean', { tenant: true }],
    ['another case', { Tenant: 2 }],
    ['an encoded name', { '%74enant': 2 }],
    ['a look-alike', { 'tenаnt': 2 }],
    ['a name with a space', { 'tenant ': 2 }],
    ['a prototype', JSON.parse('{"__proto__": {"tenant": 2}}') as object],
    ['a placeholder of a date range', { 'tenant.start': 2 }],
    ['the name of all values', { parameters: 2 }],
  ])('a viewer cannot change it with %s', async (_, values) => {
    const token = await tokenFor(1, { downloads: ['csv', 'xlsx', 'png'] })
    const codes = await Promise.all([
      send(token, `${board}/results`, { payload: { parameters: values } }),
      send(token, `${board}/refresh`, { payload: { parameters: values } }),
      resultOf(token, values),
      send(token, `${board}/tiles/own/download?format=csv&${search(values)}`),
      send(token, `${board}/tiles/own/download?format=xlsx&${search(values)}`),
      send(token, `${board}/tiles/own/download?format=png&${search(values)}`),
      send(token, `${board}/download?format=xlsx&${search(values)}`),
      send(token, `${board}/download?format=png&${search(values)}`),
    ])
    for (const answer of codes) expect(['parameter_invalid', 'invalid_request']).toContain(answer.json<{ code: string }>().code)
  })

  test('neither the address, the headers nor the shape of the body change it', async () => {
    const token = await tokenFor(1)
    expect(await tenantsSeen(token)).toEqual([1])
    const result = `${board}/tiles/own/result`
    for (const answer of [
      await send(token, `${result}?tenant=2`),
      await send(token, `${result}?${search({})}&${search({ least: 9 })}`),
      await send(token, `${result}?values=${encodeURIComponent('[{"tenant":2}]')}`),
      await send(token, `${board}/results`, { payload: { parameters: {}, tenant: 2 } }),
      await send(token, `${board}/results`, { payload: { parameters: { least: { tenant: 2 } } } }),
    ]) {
      expectRefusal(answer, 'invalid_request', { details: expect.any(Array) })
    }
    const twice = { payload: '{"parameters":{"least":9},"parameters":{"tenant":2}}', headers: { 'content-type': 'application/json' } }
    expectRefusal(await send(token, `${board}/results`, twice), 'parameter_invalid')
    const headers = { tenant: '2', 'x-parameters': '{"tenant":2}', cookie: 'tenant=2', 'x-http-method-override': 'PUT' }
    const answer = await send(token, result, { headers })
    expect(answer.json().rows[0][0]).toBe(1)
    const embedded = await page(`${token}&tenant=2&parameters=${encodeURIComponent('{"tenant":2}')}`)
    expectRefusal(embedded, 'embed_token_invalid')
  })

  test('tiles that do not use the locked parameter as such are withheld', async () => {
    const token = await tokenFor(1)
    expectRefusals([await resultOf(token, {}, 'unmapped'), await resultOf(token, { least: 2 }, 'crossed')], 'result_not_available')
    const { tiles } = (await send(token, `${board}/results`, { payload: {} })).json()
    expect(tiles.map(({ tileId }: { tileId: string }) => tileId)).toEqual(['own'])
  })

  test('files of the whole board contain only the tiles and rows of the tenant', async () => {
    const downloads = ['xlsx', 'png']
    const [one, two] = await Promise.all([tokenFor(1, { downloads }), tokenFor(2, { downloads })])
    await tenantsSeen(one)
    await tenantsSeen(two)
    const [workbook, other] = [await send(one, `${board}/download?format=xlsx`), await send(two, `${board}/download?format=xlsx`)]
    const sheets = new Set(workbook.rawPayload.toString('latin1').match(/worksheets\/sheet\d+\.xml/g))
    expect([workbook.statusCode, sheets.size, workbook.rawPayload.equals(other.rawPayload)]).toEqual([200, 1, false])
    expect(workbook.headers['content-disposition']).toContain('filename="Portal.xlsx"')
    const [image, otherImage] = [await send(one, `${board}/download?format=png`), await send(two, `${board}/download?format=png`)]
    expect([image.headers['content-type'], image.rawPayload.subarray(1, 4).toString()]).toEqual(['image/png', 'PNG'])
    expect(image.rawPayload.equals(otherImage.rawPayload)).toBe(false)
    expectRefusal(await send(one, `${board}/download?format=png&tab=other`), 'invalid_request', at('tab'))
    expectRefusal(await send(one, `${board}/download?format=csv`), 'invalid_request', { details: expect.any(Array) })
  })

  describe('clicks on charts', () => {
    /** Tiles by what a click on them does. */
    const clicks: Record<string, object> = {
      changeable: { filters: { column: 'n', parameter: 'least' } },
      locked: { filters: { column: 'tenant', parameter: 'tenant' } },
      'not in the token': { filters: { column: 'n', parameter: 'other' } },
      'same board': { opens: { column: 'n', parameter: 'least' } },
      'same board, locked': { opens: { column: 'tenant', parameter: 'tenant' } },
    }
    let clicked: string
    const tokenOf = (more: Claims = {}) => tokenFor(1, { shortId: clicked, ...more })
    const filtersSeen = async (token: string) => {
      const { tiles } = (await send(token, clicked)).json<{ tiles: { title: string; filters?: object }[] }>()
      return Object.fromEntries(tiles.flatMap(({ title, filters }) => (filters ? [[title, filters]] : [])))
    }

    beforeAll(async () => {
      const mapping = { parameterMapping: { tenant: 'tenant', least: 'least' } }
      const content = {
        title: 'Clicks',
        parameters: ['tenant', 'least', 'other'].map((name) => ({ name, type: 'number', defaultValue: '8' })),
        tiles: [referenceTile('first', reference, 0, mapping)],
      }
      const created = (await shop.admin.page('POST', '/app/api/boards', content)).json<{ shortId: string; version: number }>()
      clicked = created.shortId
      const tiles = Object.entries({ ...clicks, elsewhere: { opens: { column: 'n', parameter: 'least', boardShortId: board } } }).map(
        ([title, click], at) => {
          const own = 'opens' in click ? { opens: { boardShortId: clicked, ...(click.opens as object) } } : click
          return referenceTile(`tile${at}`, reference, 4 * at, { title, ...mapping, ...own })
        },
      )
      const changed = await shop.admin.page('PATCH', `/app/api/boards/${clicked}`, { tiles }, ifMatch(created.version))
      if (changed.statusCode !== 200) throw new Error(changed.body)
    })

    test('set only parameters that the viewer may change', async () => {
      const filter = { column: 'n', parameter: 'least' }
      expect(await filtersSeen(await tokenOf())).toEqual({ changeable: filter, 'same board': filter })
      expect(await filtersSeen(await tokenOf({ viewerParameters: [] }))).toEqual({})
      // Listing a locked name as changeable does not unlock it.
      expect(Object.keys(await filtersSeen(await tokenOf({ viewerParameters: ['tenant', 'least', 'other'] })))).toEqual([
        'changeable',
        'not in the token',
        'same board',
      ])
    })

    test('name no other board', async () => {
      const { body } = await send(await tokenOf(), clicked)
      expect(body).not.toContain(board)
      expect(body).not.toContain('opens')
    })

    test.each<[string, object]>([
      ['the parameter of a locked tile', { tenant: 2 }],
      ['a parameter outside the token', { other: 2 }],
      ['SQL as the clicked value', { least: '0 or true' }],
      ['an object as the clicked value', { least: { tenant: 2 } }],
      ['a list as the clicked value', { least: [8, 9] }],
      ['the column of the tile', { n: 8 }],
    ])('cannot send %s', async (_, parameters) => {
      const token = await tokenOf()
      for (const action of ['results', 'refresh']) {
        const answer = await send(token, `${clicked}/${action}`, { payload: { parameters } })
        expect(['parameter_invalid', 'invalid_request']).toContain(answer.json<{ code: string }>().code)
      }
    })

    test('open nothing else with the token of this board', async () => {
      expectRefusals([await send(await tokenOf(), board), await send(await tokenOf(), reference)], 'embed_token_invalid')
    })
  })

  test('everything that the token does not allow is refused', async () => {
    const token = await tokenFor(1, { viewerParameters: [] })
    expectRefusal(await resultOf(token, { least: 9 }), 'parameter_invalid')
    const onlyCsv = await tokenFor(1, { downloads: ['csv'] })
    expectRefusals(
      [
        await send(token, `${board}/tiles/own/download?format=csv`),
        await send(onlyCsv, `${board}/tiles/own/download?format=xlsx`),
        await send(onlyCsv, `${board}/tiles/own/download?format=png`),
        await send(onlyCsv, `${board}/download?format=xlsx`),
        await send(onlyCsv, `${board}/download?format=png`),
      ],
      'forbidden',
    )
    // A token for a board opens no query, and one that also lists a locked name as changeable still locks it.
    expectRefusal(await send(token, reference), 'embed_token_invalid')
    expectRefusal(await resultOf(await tokenFor(1, { viewerParameters: ['tenant', 'least'] }), { tenant: 2 }), 'parameter_invalid')
    for (const url of ['/app/api/boards', '/api/boards', `/public/api/links/${token}`]) {
      const answer = await service.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
      expect([401, 404], url).toContain(answer.statusCode)
    }
  })

  describe('a token is refused', () => {
    const invalid: Record<string, () => Promise<string>> = {
      'without a signature': async () => signRaw({ alg: 'none', kid: secret.id }, claimsFor(1), '').replace(/[^.]+$/, ''),
      'with `none` and a signature': async () => signRaw({ alg: 'none', kid: secret.id }, claimsFor(1), secret.secret),
      'with an algorithm in another case': async () => signRaw({ alg: 'hs256', kid: secret.id }, claimsFor(1), secret.secret),
      'with HS512 and the right secret': () => sign(claimsFor(1), secret, { alg: 'HS512' }),
      'with an asymmetric algorithm': async () => {
        const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
        const key = await importPKCS8(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(), 'RS256')
        return new SignJWT(claimsFor(1)).setProtectedHeader({ alg: 'RS256', kid: secret.id }).sign(key)
      },
      'with a key in its header': () => {
        const k = Buffer.from('an attacker’s own key of some length').toString('base64url')
        return sign(claimsFor(1), { id: secret.id, secret: 'an attacker’s own key of some length' }, { jwk: { kty: 'oct', k } })
      },
      'with a critical header': async () => signRaw({ alg: 'HS256', kid: secret.id, crit: ['x-lax'], 'x-lax': true }, claimsFor(1), secret.secret),
      'without `kid`': () => sign(claimsFor(1), secret, { kid: undefined }),
      'with an unknown `kid`': () => sign(claimsFor(1), { ...secret, id: 'embed_unknown' }),
      'with a `kid` that is SQL': () => sign(claimsFor(1), { ...secret, id: "embed_' or 1=1 --" }),
      'with another secret': () => sign(claimsFor(1), { ...secret, secret: 'x'.repeat(48) }),
      'with an empty secret': async () => signRaw({ alg: 'HS256', kid: secret.id }, claimsFor(1), ''),
      'with claims changed after signing': async () => {
        const [header, , signature] = (await tokenFor(1)).split('.')
        return `${header}.${Buffer.from(JSON.stringify(claimsFor(2))).toString('base64url')}.${signature}`
      },
      'with another audience': () => tokenFor(1, { aud: 'querypost' }),
      'without an audience': () => tokenFor(1, { aud: undefined }),
      'without `exp`': () => tokenFor(1, { exp: undefined }),
      'without `iat`': () => tokenFor(1, { iat: undefined }),
      'with an `exp` that is text': () => tokenFor(1, { exp: '9999999999' }),
      'valid for more than 24 hours': () => tokenFor(1, { exp: nowSeconds() + 24 * hour + 1 }),
      'issued in the future': () => tokenFor(1, { iat: nowSeconds() + 120, exp: nowSeconds() + hour }),
      'not valid yet': () => tokenFor(1, { nbf: nowSeconds() + 60 }),
      'for another item': () => tokenFor(1, { shortId: reference }),
      'for another kind of item': () => tokenFor(1, { resource: 'reference' }),
      'for an unknown kind of item': () => tokenFor(1, { resource: 'query' }),
      'that locks an unknown parameter': () => tokenFor(1, { parameters: { tennant: 1 } }),
      'that locks a property of all objects': () => tokenFor(1, { parameters: { constructor: 1 } }),
      'that locks a value of another type': () => tokenFor('1 or true'),
      'that locks nothing by a list': () => tokenFor(1, { parameters: [] }),
      'that allows an unknown parameter': () => tokenFor(1, { viewerParameters: ['other'] }),
      'that allows an unknown format': () => tokenFor(1, { downloads: ['parquet'] }),
      'that is no token': async () => 'token',
      'that is far too long': async () => `${await tokenFor(1)}${'A'.repeat(9000)}`,
    }
    test.each(Object.keys(invalid))('%s', async (name) => {
      const token = await invalid[name]!()
      expectRefusals([await send(token, board), await resultOf(token), await page(token)], 'embed_token_invalid')
    })

    test('after it has expired', async () => {
      const token = await tokenFor(1, { iat: nowSeconds() - 2 * hour, exp: nowSeconds() - hour })
      expectRefusals([await send(token, board), await resultOf(token), await page(token)], 'embed_token_expired')
      // The signature is checked first, so that nobody learns anything about a token that is not theirs.
      expectRefusal(await send(`${token.slice(0, -4)}AAAA`, board), 'embed_token_invalid')
    })

    test('with a secret of another organization', async () => {
      await origins(bank, 'https://bank.example.com')
      const theirs = await newSecret(bank)
      expectRefusals([await send(await sign(claimsFor(1), theirs), board)], 'embed_token_invalid')
      expectRefusals([await send(await sign(claimsFor(1), { id: theirs.id, secret: secret.secret }), board)], 'embed_token_invalid')
    })

    test('without a token, or with two', async () => {
      const token = await tokenFor(1)
      const none = await service.app.inject({ url: `/embed/${board}` })
      const two = await service.app.inject({ url: `/embed/${board}?token=${token}&token=${token}` })
      expectRefusals([none, two], 'embed_token_invalid')
    })
  })

  test('tokens of a replaced secret work until the overlap ends, and those of a revoked one stop at once', async () => {
    const old = await newSecret(shop)
    const answer = await shop.admin.page('POST', `/app/api/embed-secrets/${old.id}/rotate`, { overlapHours: 2 })
    const next = answer.json<Secret>()
    expect(next.secret).not.toBe(old.secret)
    const lasting = () => claimsFor(1, { exp: nowSeconds() + 20 * hour })
    const byOld = await sign(lasting(), old)
    const byNext = await sign(lasting(), next)
    expect([(await send(byOld, board)).statusCode, (await send(byNext, board)).statusCode]).toEqual([200, 200])
    // A secret is replaced once; its successor is replaced next.
    expectRefusal(await shop.admin.page('POST', `/app/api/embed-secrets/${old.id}/rotate`, { overlapHours: 2 }), 'embed_secret_not_found')
    const listed = async () =>
      (await shop.admin.page('GET', '/app/api/embedding')).json().secrets as { id: string; lastUsedAt: string; expiresAt: string }[]
    const overlapEnd = new Date(service.clock.now().getTime() + 2 * hour * 1000).toISOString()
    expect((await listed()).find(({ id }) => id === old.id)).toMatchObject({ expiresAt: overlapEnd })
    // Two hours of the test's clock would take minutes.
    const ended = { expires_at: service.clock.now() }
    await service.services.db.updateTable('embed_secrets').set(ended).where('id', '=', old.id).execute()
    expectRefusals([await send(byOld, board), await page(byOld)], 'embed_token_invalid')
    expect((await send(byNext, board)).statusCode).toBe(200)
    const left = await listed()
    expect(left.map(({ id }) => id)).not.toContain(old.id)
    expect(left.find(({ id }) => id === next.id)).toMatchObject({ lastUsedAt: service.clock.now().toISOString() })
    expect(JSON.stringify(left)).not.toContain(next.secret)
    await shop.admin.page('DELETE', `/app/api/embed-secrets/${next.id}`)
    expectRefusals([await send(byNext, board), await page(byNext)], 'embed_token_invalid')
  })

  test('only listed sites may frame the page', async () => {
    const token = await tokenFor(1)
    const shown = await page(token, { accept: 'text/html', 'sec-fetch-dest': 'iframe', referer: 'https://app.example.com/portal' })
    expect(shown.statusCode).toBe(200)
    expect(shown.headers).toMatchObject({
      'content-security-policy': expect.stringContaining('frame-ancestors https://app.example.com'),
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
    })
    expect(shown.headers['x-frame-options']).toBeUndefined()
    // The page talks only to these origins.
    expect(shown.body).toContain('<meta name="querypost-embed-origins" content="https://app.example.com">')
    const elsewhere = { 'sec-fetch-dest': 'iframe', referer: 'https://app.example.com.evil.example/' }
    expectRefusal(await page(token, elsewhere), 'embed_origin_not_allowed')
    await origins(shop)
    expectRefusals([await page(token), await send(token, board)], 'embed_origin_not_allowed')
    const closed = await page(token, { accept: 'text/html' })
    expect([closed.statusCode, closed.headers['x-frame-options']]).toEqual([403, 'DENY'])
    expect(closed.headers['content-security-policy']).toContain("frame-ancestors 'none'")
    await origins(shop, 'https://app.example.com')
  })

  test.each(['*', 'https://*', 'https://*.example.com', 'http://app.example.com', 'https://app.example.com/portal', "'self'", 'https://a"b.example', 'https://a.example; script-src *', 'data:', 'app.example.com'])(
    'an origin cannot be %s',
    async (origin) => {
      expectRefusal(await origins(shop, 'https://a.example', origin), 'invalid_request', at('/origins/1'))
    },
  )

  test('only admins manage embedding', async () => {
    const member = await shop.addPerson('member', 'mia@shop.test')
    expectRefusals(
      [
        await member.page('GET', '/app/api/embedding'),
        await member.page('PUT', '/app/api/embedding/origins', { origins: [] }),
        await member.page('POST', '/app/api/embed-secrets', { name: 'Mine' }),
        await member.page('POST', `/app/api/embed-secrets/${secret.id}/rotate`, { overlapHours: 0 }),
        await member.page('DELETE', `/app/api/embed-secrets/${secret.id}`),
      ],
      'forbidden',
    )
    expectRefusal(await bank.admin.page('DELETE', `/app/api/embed-secrets/${secret.id}`), 'embed_secret_not_found')
  })
})
