import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isEnded } from '../../../domain/runs/read-runs.ts'
import type { ModelLimit } from '../../../model/model-budget.ts'
import { openAgentFetch } from '../../../../testing/agent-fetch.ts'
import { createAutomation, storeReferenceTo } from '../../../../testing/http/automation-requests.ts'
import { at, expectRefusal } from '../../../../testing/http/requests.ts'
import { pollPause } from '../../../../testing/poll-pause.ts'
import { type ModelServer, type Script, startModelServer } from '../../../../testing/servers/model-server.ts'
import { routeStoreKinds } from '../../../../testing/store/test-store.ts'
import { startTestService, type TestOrganization, type TestPerson, type TestService } from '../../../../testing/test-service.ts'

const url = '/app/api/model-budget'
const none = { currency: null, limits: [], prices: [] }
const tokens = (amount: number, changes: Partial<ModelLimit> = {}): ModelLimit => ({
  scope: 'organization',
  period: 'day',
  unit: 'tokens',
  amount,
  ...changes,
})

/** Every answer of the scripted model reports 100 input and 20 output tokens. */
describe.each(routeStoreKinds)('model budgets on %s', (kind) => {
  const agentFetch = openAgentFetch()
  let service: TestService
  let shop: TestOrganization
  let member: TestPerson
  let server: ModelServer

  beforeAll(async () => {
    service = await startTestService(kind, { agentFetch: agentFetch.fetch })
    shop = await service.addOrganization('shop')
    member = await shop.addPerson('member', 'member@shop.test')
    server = await startModelServer()
    await shop.admin.page('PUT', '/app/api/model-settings', { provider: 'openai_compatible', baseUrl: server.url, model: 'large' })
  })
  afterAll(async () => {
    await service.stop()
    await server.close()
    await agentFetch.close()
  })
  afterEach(async () => {
    await put(none)
    await service.services.db.deleteFrom('model_usage').execute()
  })

  const put = (body: object) => shop.admin.page('PUT', url, body)
  const usage = async (person: TestPerson, days = '') => (await person.page('GET', `/app/api/model-usage${days}`)).json()

  /** Runs an automation with the model agent; returns the ended run and its chat. */
  async function runAutomation(references: string[], answers: Script[]) {
    server.forget()
    server.script(...answers)
    const { id } = await createAutomation(shop, { references, agent: 'model' })
    const started = (await shop.admin.page('POST', `/app/api/automations/${id}/runs`)).json()
    for (;;) {
      const run = (await shop.admin.page('GET', `/app/api/automation-runs/${started.id}`)).json()
      if (isEnded(run)) return { automationId: id, run, chat: (await shop.admin.page('GET', `/app/api/chats/${run.chatShortId}`)).json() }
      await pollPause()
    }
  }
  const callTool: Script = { toolCalls: [{ name: 'list_tables', input: {} }] }

  /** Asks in the chat of an earlier run; returns the chat when the answer has ended. */
  async function ask(person: TestPerson, chatShortId: string, answers: Script[]) {
    server.script(...answers)
    expect((await person.page('POST', `/app/api/chats/${chatShortId}/messages`, { text: 'Why?' })).statusCode).toBe(202)
    for (;;) {
      const chat = (await person.page('GET', `/app/api/chats/${chatShortId}`)).json()
      if (isEnded(chat.run)) return chat
      await pollPause()
      // A model that fails is asked again after a second.
      await service.clock.advance(100)
    }
  }

  describe('settings', () => {
    test('there are no limits at first; once saved, all members see them', async () => {
      expect((await member.page('GET', url)).json()).toEqual(none)
      const prices = [{ model: 'large', inputPrice: 3, outputPrice: 15.5 }]
      const limits = [tokens(1000), tokens(2.5, { unit: 'money', scope: 'person', period: 'month' })]
      const saved = await put({ currency: ' eur ', limits, prices })
      expect(saved.statusCode, saved.body).toBe(200)
      expect((await member.page('GET', url)).json()).toEqual({ currency: 'EUR', limits, prices })
    })

    test('an emptied list of prices removes them', async () => {
      await put({ currency: 'EUR', limits: [], prices: [{ model: 'large', inputPrice: 3, outputPrice: 15 }] })
      expect((await put({ currency: 'EUR', limits: [], prices: [] })).json()).toEqual({ currency: 'EUR', limits: [], prices: [] })
    })

    test.each([
      ['/currency', { currency: 'euro' }],
      ['/currency', { currency: 'E1R' }],
      ['/currency', { limits: [tokens(1, { unit: 'money' })] }],
      ['/currency', { prices: [{ model: 'large', inputPrice: 1, outputPrice: 1 }] }],
      ['/limits/0/amount', { limits: [tokens(-1)] }],
      ['/limits/0/amount', { limits: [tokens(1.5)] }],
      ['/limits/1', { limits: [tokens(1), tokens(2)] }],
      ['/limits/0/scope', { limits: [{ ...tokens(1), scope: 'team' }] }],
      ['/prices/0/inputPrice', { currency: 'EUR', prices: [{ model: 'large', inputPrice: -1, outputPrice: 1 }] }],
      ['/prices/0/model', { currency: 'EUR', prices: [{ model: ' ', inputPrice: 1, outputPrice: 1 }] }],
      [
        '/prices/1/model',
        { currency: 'EUR', prices: ['large', ' large'].map((model) => ({ model, inputPrice: 1, outputPrice: 1 })) },
      ],
      ['/extra', { extra: 1 }],
    ])('%s is checked: %j', async (path, change) => {
      expectRefusal(await put({ ...none, ...change }), 'invalid_request', at(path))
      expect((await member.page('GET', url)).json()).toEqual(none)
    })

    test('only admins can change them', async () => {
      expectRefusal(await member.page('PUT', url, { ...none, limits: [tokens(1)] }), 'forbidden')
      expect((await member.page('GET', url)).json()).toEqual(none)
    })
  })

  describe('use', () => {
    test('is recorded per request and shown to admins; members see their own', async () => {
      await put({ currency: 'EUR', limits: [tokens(1_000_000)], prices: [{ model: 'large', inputPrice: 10, outputPrice: 50 }] })
      const { automationId, run } = await runAutomation([], [callTool, { text: 'Done.' }])
      await service.clock.advance(1)
      await ask(member, run.chatShortId, [{ cutAfter: 'Beca' }, { text: 'Because.' }])

      const seen = await usage(shop.admin)
      expect(seen).toMatchObject({ from: '2025-12-07', days: 30, spent: expect.arrayContaining([expect.objectContaining({ scope: 'organization' })]) })
      expect(seen.total).toMatchObject({ requestCount: 4, cost: expect.any(Number), days: [{ day: '2026-01-05', requestCount: 4 }] })
      expect(seen.people).toMatchObject([
        { name: 'member', requestCount: 2 },
        { name: 'admin', inputTokens: 200, outputTokens: 40, requestCount: 2, cost: 0.004 },
      ])
      expect(seen.sources).toMatchObject([
        { kind: 'chats', id: null, name: 'Chats' },
        { kind: 'automation', id: automationId, name: 'Every morning', inputTokens: 200 },
      ])
      expect(seen.models).toMatchObject([{ model: 'large', requestCount: 4 }])

      const own = await usage(member)
      expect(own).toMatchObject({ total: { requestCount: 2 }, people: [{ name: 'member' }], sources: [{ kind: 'chats' }] })
      expect(own.spent.map(({ scope }: ModelLimit) => scope)).toEqual(['person', 'person'])
      const bank = await service.addOrganization('bank')
      expect(await usage(bank.admin)).toMatchObject({ total: { requestCount: 0, cost: null, days: [] }, people: [] })
    })

    test.each(['?days=0', '?days=91', '?days=week'])('%s is rejected', async (query) => {
      expectRefusal(await shop.admin.page('GET', `/app/api/model-usage${query}`), 'invalid_request', at('days'))
    })

    test('counts the tokens of an answer that a person stopped', async () => {
      const { run } = await runAutomation([], [{ text: 'Done.' }])
      const before = server.requests.length
      await service.clock.advance(1)
      server.script('hang')
      await shop.admin.page('POST', `/app/api/chats/${run.chatShortId}/messages`, { text: 'Why?' })
      await server.seen(before + 1)
      await shop.admin.page('POST', `/app/api/chats/${run.chatShortId}/stop`)
      const useOfChats = async () =>
        (await usage(shop.admin)).sources.find(({ kind: each }: { kind: string }) => each === 'chats')
      let chats = await useOfChats()
      for (; !chats; chats = await useOfChats()) await pollPause()
      expect(chats).toMatchObject({ requestCount: 1, outputTokens: 0 })
      expect(chats.inputTokens).toBeGreaterThan(100)
    })
  })

  describe('at a limit', () => {
    test('a question is rejected until the limit is raised, and the message says when it resets', async () => {
      const { run } = await runAutomation([], [{ text: 'Done.' }])
      await put({ ...none, limits: [tokens(120, { scope: 'person' })] })
      const question = (person: TestPerson) => person.page('POST', `/app/api/chats/${run.chatShortId}/messages`, { text: 'Why?' })
      const refused = await question(shop.admin)
      expectRefusal(refused, 'model_budget_exhausted', {
        message: /^The daily limit of 120 tokens per person is reached\. It resets at 2026-01-06 00:00 UTC\. /,
      })
      const untilMidnight = Date.parse('2026-01-06T00:00:00Z') - service.clock.now().getTime()
      expect(refused.headers['retry-after']).toBe(String(Math.ceil(untilMidnight / 1000)))
      await service.clock.advance(1)
      expect((await ask(member, run.chatShortId, [{ text: 'Because.' }])).run.status).toBe('completed')
      expectRefusal(await question(member), 'model_budget_exhausted')
      await put({ ...none, limits: [tokens(121, { scope: 'person' })] })
      await service.clock.advance(1)
      expect((await ask(shop.admin, run.chatShortId, [{ text: 'Because.' }])).run.status).toBe('completed')
    })

    test('a running answer ends with the reason', async () => {
      const { run } = await runAutomation([], [{ text: 'Done.' }])
      await put({ ...none, limits: [tokens(240)] })
      await service.clock.advance(1)
      const chat = await ask(shop.admin, run.chatShortId, [callTool, { text: 'Never sent.' }])
      expect(chat.run).toMatchObject({ status: 'failed', reason: expect.stringMatching(/^The daily limit of 240 tokens/) })
      expect((await usage(shop.admin)).total).toMatchObject({ inputTokens: 200, requestCount: 2 })
    })

    test('an automation without queries fails with the reason', async () => {
      await put({ currency: 'EUR', limits: [tokens(0, { unit: 'money' })], prices: [] })
      const { run } = await runAutomation([], [{ text: 'Never sent.' }])
      expect(run).toMatchObject({ status: 'failed', reason: expect.stringMatching(/^The daily limit of 0\.00 EUR for the organization/) })
      expect((await usage(shop.admin)).total.requestCount).toBe(0)
    })

    test('an automation with queries falls back to the digest, and says so in the chat and in the summary', async () => {
      const shortId = await storeReferenceTo(shop, 'select count(*) as numbers from numbers')
      await put({ ...none, limits: [tokens(120)] })
      const { run, chat } = await runAutomation([shortId], [callTool, { text: 'Never sent.' }])
      const note = /^This report was written without the model\. The daily limit of 120 tokens/
      expect(run).toMatchObject({ status: 'completed', agent: 'model', usage: { inputTokens: 100, steps: 1 } })
      expect(run.summary).toMatch(note)
      expect(run.summary).toContain('Numbers')
      const kinds = chat.messages.map(({ kind: each }: { kind: string }) => each)
      expect(kinds).toEqual(['instruction', 'tool_call', 'note', 'query_run', 'summary'])
      expect(chat.messages[2].text).toMatch(note)
      const { text, figures } = chat.messages[4]
      expect(figures.length).toBeGreaterThan(0)
      for (const figure of figures) expect(text.slice(figure.start, figure.end)).toBe(figure.text)
    })
  })
})
