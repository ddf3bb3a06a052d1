import type { LightMyRequestResponse } from 'fastify'
import Schema from 'typebox/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startTestService, type TestOrganization, type TestService } from '../testing/test-service.ts'
import { automationIdOfNothing, createAutomation } from './test-automations.ts'
import { endOf, parameter, shortIdOfNothing, storeQuery, storeReference, uuidOfNothing } from './test-requests.ts'

interface Operation {
  summary?: string
  parameters?: { name: string; in: string; required?: boolean; schema: object }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<string, { description: string; content?: Record<string, { schema: object }> }>
}
interface Document {
  openapi: string
  info: { title: string; version: string }
  servers: { url: string }[]
  security: object[]
  components: { securitySchemes: Record<string, object> }
  paths: Record<string, Record<string, Operation>>
}

let service: TestService
let shop: TestOrganization
let document: Document
beforeAll(async () => {
  service = await startTestService('pglite')
  shop = await service.addOrganization('shop')
  document = (await service.app.inject('/api/openapi.json')).json()
})
afterAll(() => service.stop())

const published = {
  '/api/automation-runs/{id}': ['get'],
  '/api/automations/{id}/runs': ['post'],
  '/api/me': ['get'],
  '/api/queries': ['get'],
  '/api/queries/refs': ['get', 'post'],
  '/api/queries/refs/{shortId}': ['delete', 'get', 'put'],
  '/api/queries/{queryId}': ['get'],
  '/api/queries/{queryId}/refresh': ['post'],
  '/api/queries/{queryId}/result': ['get'],
}
const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

test('is OpenAPI 3.1, and says where it is and how to authenticate', () => {
  expect(document.openapi).toMatch(/^3\.1\.\d$/)
  expect(document.info).toMatchObject({ title: 'Querypost', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
  expect(document.servers).toEqual([{ url: 'https://querypost.test' }])
  expect(document.components.securitySchemes['apiKey']).toMatchObject({ type: 'http', scheme: 'bearer' })
  expect(document.security).toEqual([{ apiKey: [] }])
})

test('lists exactly the published routes', () => {
  const listed = Object.entries(document.paths).map(([path, methods]) => [path, Object.keys(methods).toSorted()])
  expect(Object.fromEntries(listed)).toEqual(published)
  expect(JSON.stringify(document)).not.toContain('/app/api')
})

test('every operation is whole: its path’s parameters, described answers, schemas that are schemas', () => {
  for (const { path, method, operation } of operations()) {
    const name = `${method} ${path}`
    expect(operation.summary, name).toMatch(/\w+/)
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, parameterName]) => parameterName)
    const described = (operation.parameters ?? []).filter((each) => each.in === 'path')
    expect(described.map((each) => [each.name, each.required]), name).toEqual(inPath.map((each) => [each, true]))
    expect(Object.keys(operation.responses), name).toEqual(expect.arrayContaining(['400', '401', '500']))
    const schemas = [
      ...(operation.parameters ?? []).map(({ schema }) => schema),
      ...Object.values(operation.requestBody?.content ?? {}).map(({ schema }) => schema),
      ...Object.values(operation.responses).flatMap(({ content }) => Object.values(content ?? {}).map(({ schema }) => schema)),
    ]
    for (const { description } of Object.values(operation.responses)) expect(description, name).toBeTypeOf('string')
    for (const schema of schemas) {
      expect(schema, name).toBeTypeOf('object')
      // OpenAPI 3.0's way of saying null is no part of 3.1.
      expect(JSON.stringify(schema), name).not.toContain('"nullable"')
    }
  }
})

describe('what is answered is what is described', () => {
  function expectDescribed(method: string, path: string, answer: LightMyRequestResponse): void {
    const name = `${method} ${path} ${answer.statusCode}`
    const described = document.paths[path]![method.toLowerCase()]!.responses[answer.statusCode]
    expect(described, name).toBeDefined()
    const body: unknown = answer.body === '' ? undefined : answer.json()
    // An answer without content has no body at all.
    const schema = described!.content?.['application/json']?.schema ?? { not: {} }
    const [fits, errors] = body === undefined ? [!described!.content, []] : Schema.Errors(schema, body)
    expect(errors, `${name}: ${answer.body}`).toEqual([])
    expect(fits, name).toBe(true)
    expect(unknownKeys(schema, body), name).toEqual([])
  }

  test('for successes and refusals of every route', async () => {
    const query = await storeQuery(shop, 'select n from numbers where n < {{most}}')
    const parameterless = await storeQuery(shop, 'select {{none}}')
    const visualization = { type: 'table', jsxConfig: '', marginConfig: { top: 1, right: 1, bottom: 1, left: 1 } }
    const parameters = [parameter('most', 'number', '3')]
    const { shortId } = await storeReference(shop, query.id, { visualization, parameters, description: 'Some' })
    const seen = new Set<string>()
    async function ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, id = '', body?: unknown, query = '') {
      const url = path.replace(/\{\w+\}/, id) + query
      const answer = await shop.admin.api(method, url, body)
      expectDescribed(method, path, answer)
      seen.add(`${method.toLowerCase()} ${path} ${answer.statusCode}`)
      return answer
    }
    const [ref, refs] = ['/api/queries/refs/{shortId}', '/api/queries/refs']
    const [one, result, refresh] = ['/api/queries/{queryId}', '/api/queries/{queryId}/result', '/api/queries/{queryId}/refresh']
    const huge = { title: 'x'.repeat(1024 * 1024) }

    await ask('GET', '/api/me')
    await ask('GET', '/api/me', '', undefined, '?x=%00')
    await ask('GET', one, query.id)
    await ask('GET', result, query.id)
    await endOf(service, shop, ask('POST', refresh, query.id))
    await ask('POST', refresh, parameterless.id)
    await ask('GET', one, query.id)
    await ask('GET', one, 'odd')
    await ask('GET', one, uuidOfNothing)
    await ask('GET', result, query.id)
    await ask('GET', result, 'odd')
    await ask('POST', refresh, query.id, huge)
    await ask('POST', refresh, query.id, { a: 1 })
    await ask('POST', refresh, uuidOfNothing)
    for (const list of ['/api/queries', refs]) {
      await ask('GET', list)
      await ask('GET', list, '', undefined, '?limit=1')
      await ask('GET', list, '', undefined, '?limit=0')
      await ask('GET', list, '', undefined, '?cursor=x')
    }
    await ask('POST', refs, '', { queryId: query.id })
    await ask('POST', refs, '', { queryId: uuidOfNothing })
    await ask('POST', refs, '', {})
    await ask('POST', refs, '', huge)
    await ask('GET', ref, shortId)
    await ask('GET', ref, shortIdOfNothing)
    await ask('GET', ref, shortId, undefined, '?x=%00')
    await ask('PUT', ref, shortId, { title: 'New', description: null })
    await ask('PUT', ref, shortId, { title: 1 })
    await ask('PUT', ref, shortIdOfNothing, {})
    await ask('PUT', ref, shortId, huge)
    await ask('DELETE', ref, shortId, undefined, '?x=%00')
    await ask('DELETE', ref, shortId, huge)
    await ask('DELETE', ref, shortId)
    await ask('DELETE', ref, shortId)

    const slow = await storeQuery(shop, 'select count(*) from range(1000000000) a, range(1000000000) b where a.range % 7 = b.range % 3')
    const running = (await shop.admin.api('POST', `/api/queries/${slow.id}/refresh`)).json()
    await ask('POST', refresh, slow.id)
    await shop.admin.page('POST', `/app/api/runs/${running.id}/cancel`)
    await service.ended(shop.admin.caller, running.id)
    await ask('GET', one, slow.id)

    const [run, automationRun] = ['/api/automations/{id}/runs', '/api/automation-runs/{id}']
    const automation = await createAutomation(shop, { references: [(await storeReference(shop, query.id, { parameters })).shortId] })
    // Of two who ask at once, one is told that it runs already.
    const both = await Promise.all([ask('POST', run, automation.id), ask('POST', run, automation.id)])
    const requested = both.find((answer) => answer.statusCode === 202)!
    await ask('POST', run, automationIdOfNothing)
    await ask('POST', run, automation.id, huge)
    await ask('POST', run, automation.id, { a: 1 })
    await ask('GET', automationRun, requested.json<{ id: string }>().id)
    await ask('GET', automationRun, 'odd')
    await ask('GET', automationRun, 'odd', undefined, '?x=%00')

    const headers = { authorization: `Bearer ${shop.admin.apiKey}`, 'if-none-match': '*' }
    const unchanged = await service.app.inject({ url: `/api/queries/${query.id}/result`, headers })
    expect(unchanged.statusCode).toBe(304)
    expectDescribed('GET', result, unchanged)
    seen.add(`get ${result} 304`)
    for (const { path, method } of operations()) {
      const answer = await service.app.inject({ method: method.toUpperCase() as 'GET', url: path })
      expect(answer.statusCode).toBe(401)
      expectDescribed(method, path, answer)
      seen.add(`${method} ${path} 401`)
    }

    const described = operations().flatMap(({ path, method, operation }) =>
      Object.keys(operation.responses).map((status) => `${method} ${path} ${status}`),
    )
    // Faults of ours are tried in errors.test.ts; a list answers 404 only when it is retired.
    const elsewhere = (each: string) => each.endsWith(' 500') || /^get \/api\/queries(\/refs)? 404$/.test(each)
    expect([...seen].toSorted()).toEqual(described.filter((each) => !elsewhere(each)).toSorted())
  })
})

/** Keys of the answer that its schema does not name: the schemas of answers are open, the answers are not. */
function unknownKeys(schema: unknown, value: unknown, path = ''): string[] {
  const { properties, items, anyOf } = schema as { properties?: Record<string, object>; items?: object; anyOf?: object[] }
  if (value === null || typeof value !== 'object') return []
  if (anyOf) return unknownKeys(anyOf.find((each) => 'properties' in each), value, path)
  if (Array.isArray(value)) return value.flatMap((each, index) => unknownKeys(items ?? {}, each, `${path}/${index}`))
  if (!properties) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    Object.hasOwn(properties, key) ? unknownKeys(properties[key], inner, `${path}/${key}`) : [`${path}/${key}`],
  )
}
