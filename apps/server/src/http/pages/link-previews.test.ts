import fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../model/caller.ts'
import { startTestService, type TestOrganization, type TestService } from '../../../testing/test-service.ts'
import { storeQuery, storeReference } from '../../../testing/http/requests.ts'
import { makeLinkPreviews } from './link-previews.ts'

const hostile = `"><script>alert('x')</script>&amp; $& __NONCE__ \u202E`
const generic = '<meta property="og:site_name" content="Querypost">'

let service: TestService
let shop: TestOrganization
let bank: TestOrganization
let shortId: string
let chatShortId: string
/** Returns only the tags, without the document around them. */
let tags: FastifyInstance
let caller: Caller | undefined

beforeAll(async () => {
  service = await startTestService('postgres', { worker: false })
  shop = await service.addOrganization('shop')
  bank = await service.addOrganization('bank')
  const content = { title: hostile, description: `${hostile}\n${'long '.repeat(200)}` }
  shortId = (await storeReference(shop, (await storeQuery(shop, 'select 1')).id, content)).shortId
  const data = { name: hostile, instructions: 'Look.', references: [shortId] }
  const automation = (await shop.admin.page('POST', '/app/api/automations', data)).json()
  chatShortId = (await shop.admin.page('POST', `/app/api/automations/${automation.id}/runs`)).json().chatShortId
  tags = fastify()
  const previews = makeLinkPreviews(service.services, async () => caller)
  tags.get('/q/:id', (request) => previews.reference(request, (request.params as { id: string }).id))
  tags.get('/chats/:id', (request) => previews.chat(request, (request.params as { id: string }).id))
})
afterAll(() => service.stop())

const contentOf = (html: string, property: string) =>
  new RegExp(`<meta (?:property|name)="${property}" content="([^"]*)">`).exec(html)?.[1]
const unescaped = (text: string | undefined) =>
  text
    ?.replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')

test('members of the organization get a title, a description and an image, as plain text', async () => {
  caller = shop.admin.caller
  const { body } = await tags.inject(`/q/${shortId}`)
  expect(body).not.toContain('<script')
  expect(body.match(/<[a-z]+/g)!.every((tag) => tag === '<meta')).toBe(true)
  expect(unescaped(contentOf(body, 'og:title'))).toBe(hostile)
  expect(unescaped(contentOf(body, 'og:description'))).toMatch(/^"><script>.*…$/)
  expect(contentOf(body, 'og:description')!.length).toBeLessThan(500)
  expect(contentOf(body, 'og:image')).toBe(`https://querypost.test/q/${shortId}/chart.png`)
  expect(contentOf(body, 'og:url')).toBe(`https://querypost.test/q/${shortId}`)
  expect(contentOf(body, 'twitter:card')).toBe('summary_large_image')
})

test('a chat shows its title', async () => {
  caller = shop.admin.caller
  const { body } = await tags.inject(`/chats/${chatShortId}`)
  expect(unescaped(contentOf(body, 'og:title'))).toContain('<script>')
  expect(contentOf(body, 'og:image')).toBeUndefined()
})

test('everyone else gets only the site name', async () => {
  for (const stranger of [undefined, bank.admin.caller]) {
    caller = stranger
    expect((await tags.inject(`/q/${shortId}`)).body).toBe(generic)
    expect((await tags.inject(`/chats/${chatShortId}`)).body).toBe(generic)
  }
})

test('a permalink is never stored by shared caches', async () => {
  for (const cookies of [{}, shop.admin.session]) {
    for (const url of [`/q/${shortId}`, `/chats/${chatShortId}`, '/q/aaaaaaaaaa']) {
      const answer = await service.app.inject({ url, cookies })
      expect(answer.headers).toMatchObject({ vary: 'cookie', 'cache-control': 'private, no-cache' })
    }
  }
})

test('the tags are in the head of the page only for users with a session', async () => {
  const inside = await service.app.inject({ url: `/q/${shortId}`, cookies: shop.admin.session })
  expect(inside.body.split('</head>')[0]).toContain('property="og:title"')
  // A title cannot inject the nonce of its page.
  expect(unescaped(contentOf(inside.body, 'og:title'))).toBe(hostile)
  const outside = await service.app.inject({ url: `/q/${shortId}`, cookies: bank.admin.session })
  expect(outside.body).not.toContain('og:title')
  expect((await service.app.inject(`/q/${shortId}`)).body).not.toContain('og:title')
})
