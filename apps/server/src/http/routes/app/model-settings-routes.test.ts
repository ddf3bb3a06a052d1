import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { getModelAccess } from '../../../domain/agents/model/model-settings.ts'
import { makeSealer } from '../../../domain/sealing.ts'
import { openAgentFetch } from '../../../../testing/agent-fetch.ts'
import { type ModelServer, startModelServer } from '../../../../testing/servers/model-server.ts'
import { seededRandom } from '../../../../testing/seeded-random.ts'
import {
  startTestService,
  type TestOrganization,
  type TestPerson,
  type TestService,
} from '../../../../testing/test-service.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { at, expectRefusal, startTime } from '../../../../testing/http/requests.ts'

const url = '/app/api/model-settings'
const apiKey = 'sk-test-0123456789'

describe.each(routeStoreKinds)('model settings on %s', (kind) => {
  const agentFetch = openAgentFetch()
  let service: TestService
  let shop: TestOrganization
  let member: TestPerson
  let server: ModelServer

  beforeAll(async () => {
    service = await startTestService(kind, { agentFetch: agentFetch.fetch, worker: false })
    shop = await service.addOrganization('shop')
    member = await shop.addPerson('member', 'member@shop.test')
    server = await startModelServer()
  })
  afterAll(async () => {
    await service.stop()
    await server.close()
    await agentFetch.close()
  })
  beforeEach(async () => {
    server.forget()
    await shop.admin.page('DELETE', url)
  })

  const put = (body: object) => shop.admin.page('PUT', url, body)
  const access = () => getModelAccess(service.services, shop.admin.caller.organizationId)
  const compatible = (more: object = {}) => ({ provider: 'openai_compatible', baseUrl: server.url, model: 'm-1', ...more })

  describe('saving', () => {
    test('there are none at first; once saved, all members see them without the key', async () => {
      expect((await member.page('GET', url)).json()).toEqual({ settings: null })
      const provider = 'openai_compatible'
      const baseUrl = 'https://models.example/v1'
      const settings = { provider, baseUrl, model: 'm-1', hasApiKey: true, updatedAt: startTime }
      const saved = await put({ provider, baseUrl: `${baseUrl}/`, model: ' m-1 ', apiKey: ` ${apiKey}\n` })
      expect(saved.statusCode).toBe(200)
      expect(saved.json()).toEqual({ settings })
      expect((await member.page('GET', url)).json()).toEqual({ settings })
      expect(await access()).toMatchObject({ apiKey })
    })

    test('can be deleted; deleting again succeeds', async () => {
      await put(compatible({ apiKey }))
      for (let time = 0; time < 2; time++) expect((await shop.admin.page('DELETE', url)).statusCode).toBe(204)
      expect((await member.page('GET', url)).json()).toEqual({ settings: null })
      await expect(access()).rejects.toMatchObject({ code: 'model_not_configured' })
    })

    test('Anthropic has a default base URL', async () => {
      expect((await put({ provider: 'anthropic', model: 'claude', apiKey })).json()).toMatchObject({
        settings: { baseUrl: 'https://api.anthropic.com/v1', hasApiKey: true },
      })
    })

    test('an omitted key is kept only for the same provider and origin', async () => {
      const there = { provider: 'openai_compatible', baseUrl: 'https://models.example/v1', model: 'm-1' }
      const hasApiKey = async (body: object) => (await put(body)).json().settings.hasApiKey
      await put({ ...there, apiKey })
      expect(await hasApiKey({ ...there, model: 'm-2', baseUrl: 'https://models.example/v2' })).toBe(true)
      expect(await access()).toMatchObject({ apiKey, model: 'm-2' })
      for (const elsewhere of [
        { ...there, baseUrl: 'https://other.example/v1' },
        { ...there, baseUrl: 'http://models.example/v1' },
        { ...there, baseUrl: 'https://models.example:8443/v1' },
        { ...there, provider: 'anthropic' },
      ]) {
        await put({ ...there, apiKey })
        expect(await hasApiKey(elsewhere), JSON.stringify(elsewhere)).toBe(false)
        expect(await access()).toMatchObject({ apiKey: null })
        expect(await hasApiKey(there)).toBe(false)
      }
      await put({ ...there, apiKey })
      expect(await hasApiKey({ ...there, apiKey: null })).toBe(false)
    })

    test('the key is encrypted for its organization; with another SECRET_KEY, the error says what to do', async () => {
      await put(compatible({ apiKey }))
      const { db } = service.services
      const { api_key: sealed } = await db.selectFrom('model_settings').select('api_key').executeTakeFirstOrThrow()
      expect(Buffer.from(sealed!).toString('latin1')).not.toContain(apiKey)
      const unreadable = { code: 'model_not_configured', message: expect.stringMatching(/SECRET_KEY.*enters the key again/) }
      const sealer = makeSealer({ secretKey: Buffer.alloc(32, 8), random: seededRandom('other') })
      await expect(getModelAccess({ db, sealer }, shop.admin.caller.organizationId)).rejects.toMatchObject(unreadable)
      await db.updateTable('model_settings').set({ base_url: 'https://elsewhere.example/v1' }).execute()
      await expect(access()).rejects.toMatchObject(unreadable)
      expectRefusal(await shop.admin.page('POST', `${url}/test`), 'model_not_configured', { message: /SECRET_KEY/ })
      expect((await put(compatible({ apiKey }))).statusCode).toBe(200)
      expect(await access()).toMatchObject({ apiKey })
    })

    test.each([
      ['/baseUrl', { baseUrl: undefined }],
      ['/baseUrl', { baseUrl: '' }],
      ['/baseUrl', { baseUrl: 'models.example/v1' }],
      ['/baseUrl', { baseUrl: 'ftp://models.example/v1' }],
      ['/baseUrl', { baseUrl: 'file:///etc/passwd' }],
      ['/baseUrl', { baseUrl: 'https://jane:secret@models.example/v1' }],
      ['/baseUrl', { baseUrl: 'https://models.example/v1#x' }],
      ['/baseUrl', { baseUrl: 'https://models.example/v1?' }],
      ['/baseUrl', { baseUrl: `https://models.example/${'x'.repeat(2048)}` }],
      ['/model', { model: ' ' }],
      ['/model', { model: 'x'.repeat(201) }],
      ['/apiKey', { apiKey: '' }],
      ['/apiKey', { apiKey: 'two words' }],
      ['/apiKey', { apiKey: 'schlüssel' }],
      ['/apiKey', { apiKey: 'line\r\nx-injected: 1' }],
      ['/provider', { provider: 'other' }],
      ['/extra', { extra: 1 }],
    ])('%s is checked: %j', async (path, change) => {
      expectRefusal(await put(compatible(change)), 'invalid_request', at(path))
      expectRefusal(await shop.admin.page('POST', `${url}/test`, compatible(change)), 'invalid_request', at(path))
      expect((await member.page('GET', url)).json()).toEqual({ settings: null })
    })

    test('only admins can change or test them', async () => {
      await put(compatible({ apiKey }))
      expectRefusal(await member.page('PUT', url, compatible()), 'forbidden')
      expectRefusal(await member.page('DELETE', url), 'forbidden')
      expectRefusal(await member.page('POST', `${url}/test`), 'forbidden')
      expectRefusal(await member.page('POST', `${url}/test`, compatible()), 'forbidden')
      expect(await access()).toMatchObject({ apiKey })
    })
  })

  describe('testing', () => {
    const ready = { toolCalls: [{ name: 'report_readiness', input: { word: 'ready' } }] }
    const attempt = async (body?: object) => (await shop.admin.page('POST', `${url}/test`, body)).json()

    test('asks the stored model for a tool call', async () => {
      await put(compatible({ apiKey }))
      server.script(ready)
      expect(await attempt()).toEqual({ ok: true, durationMs: 0, reply: 'ready' })
      const { headers, body } = server.requests.at(-1)!
      expect(headers.authorization).toBe(`Bearer ${apiKey}`)
      expect(body).toMatchObject({ model: 'm-1', tools: [{ function: { name: 'report_readiness' } }] })
    })

    test('tests unsaved settings, with the stored key only for its own provider and origin', async () => {
      server.script(ready)
      expect(await attempt(compatible({ apiKey: 'sk-new' }))).toMatchObject({ ok: true })
      expect(server.requests.at(-1)!.headers.authorization).toBe('Bearer sk-new')
      expect((await member.page('GET', url)).json()).toEqual({ settings: null })

      await put(compatible({ apiKey }))
      server.script(ready, ready)
      expect(await attempt(compatible({ model: 'm-2' }))).toMatchObject({ ok: true })
      expect(server.requests.at(-1)!.headers.authorization).toBe(`Bearer ${apiKey}`)
      expect(await attempt(compatible({ apiKey: null }))).toMatchObject({ ok: true })
      expect(server.requests.at(-1)!.headers.authorization).toBeUndefined()

      const other = await startModelServer({ always: ready })
      expect(await attempt(compatible({ baseUrl: other.url }))).toMatchObject({ ok: true })
      expect(other.requests[0]!.headers.authorization).toBeUndefined()
      await other.close()
    })

    test('works with Anthropic', async () => {
      server.script(ready)
      expect(await attempt(compatible({ provider: 'anthropic', apiKey }))).toMatchObject({ ok: true, reply: 'ready' })
      expect(server.requests.at(-1)).toMatchObject({ path: '/v1/messages', headers: { 'x-api-key': apiKey } })
    })

    test.each([
      [
        'a rejected key',
        { status: 401, body: { error: { message: `Bad key ${apiKey}` } } },
        /The key was refused .*\(401\).*Check it.*Bad key \[the key\]\./,
      ],
      ['an unknown model', { status: 404 }, /no model "m-1" \(404\)\. Check the base URL and the model’s name/],
      [
        'a page',
        { raw: '<html></html>', contentType: 'text/html' },
        /is not what a model of this kind answers.*Check the provider and the base URL/,
      ],
      ['a truncated stream', { cutAfter: 'I am' }, /broke off/],
      ['a busy server', { status: 503 }, /cannot answer at the moment \(503\)/],
      ['text without a tool call', { text: 'I am ready.' }, /did not call the tool.*"I am ready\.".*Choose a model that can call tools/],
      ['a wrong call', { toolCalls: [{ name: 'report_readiness', input: '{' }] }, /did not call the tool/],
    ])('explains what to do about %s', async (_, answer, message) => {
      server.script(answer)
      const before = server.requests.length
      const outcome = await attempt(compatible({ apiKey }))
      expect(outcome).toEqual({ ok: false, message: expect.stringMatching(message) })
      expect(outcome.message).not.toContain(apiKey)
      expect(server.requests).toHaveLength(before + 1)
    })

    test('reports a forbidden or unreachable address', async () => {
      expect(await attempt(compatible({ baseUrl: 'https://169.254.169.254/v1' }))).toMatchObject({
        ok: false,
        message: expect.stringMatching(/not publicly routable/),
      })
      expect(await attempt(compatible({ baseUrl: 'http://127.0.0.1:9/v1' }))).toMatchObject({
        ok: false,
        message: expect.stringMatching(/^No connection could be made to the model at 127\.0\.0\.1:9/),
      })
    })

    test('times out after 30 seconds', async () => {
      server.script('hang')
      const before = server.requests.length
      const trying = attempt(compatible({ apiKey }))
      await server.seen(before + 1)
      await service.clock.advance(30_000)
      const message = 'The model did not answer within 30 seconds. Check the base URL, or try again.'
      expect(await trying).toEqual({ ok: false, message })
    })

    test('is rejected if nothing is configured and nothing given', async () => {
      expectRefusal(await shop.admin.page('POST', `${url}/test`), 'model_not_configured', { message: /settings/ })
      expectRefusal(await shop.admin.page('POST', `${url}/test`, { provider: 'anthropic' }), 'invalid_request', at('/model'))
      expectRefusal(await shop.admin.page('POST', `${url}/test`, { model: 'm' }), 'invalid_request', at('/provider'))
    })
  })
})
