import type { LightMyRequestResponse } from 'fastify'
import Schema from 'typebox/schema'
import { sql as statement } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventTypes } from '../model/event-type.ts'
import { listenersMaxOfKey } from '../domain/webhooks/listening/listening.ts'
import { markDatabaseDeleted } from '../store/databases/databases-table.ts'
import { addListener } from '../store/webhooks/event-listeners.ts'
import { startTestService, type TestOrganization, type TestService } from '../../testing/test-service.ts'
import { pollPause } from '../../testing/poll-pause.ts'
import { addBigquery } from '../../testing/http/bigquery-requests.ts'
import { ifMatch, referenceTile } from '../../testing/http/board-requests.ts'
import { startScriptedBigquery } from '../../testing/servers/scripted-bigquery.ts'
import { noCostLimits } from '../model/cost-limits.ts'
import { openChat, setUpModel } from '../../testing/http/chat-requests.ts'
import { defaultStreamLimits } from './server-sent-events.ts'
import { unknownAutomationId, createAutomation } from '../../testing/http/automation-requests.ts'
import { nameSchemas } from './openapi-names.ts'
import { endOf, parameter, unknownShortId, startTime, storeQuery, storeReference, unknownUuid } from '../../testing/http/requests.ts'

interface Operation {
  operationId?: string
  summary?: string
  description?: string
  deprecated?: boolean
  parameters?: { name: string; in: string; required?: boolean; description?: string; example?: unknown; schema: object }[]
  requestBody?: { content: Record<string, { schema: object }> }
  responses: Record<
    string,
    { description: string; headers: object; 'x-error-codes'?: string[]; content?: Record<string, { schema: object }> }
  >
}

interface Document {
  openapi: string
  info: { title: string; version: string }
  servers: { url: string }[]
  security: object[]
  tags: { name: string; description: string }[]
  externalDocs: { url: string }
  components: { securitySchemes: Record<string, object>; schemas: Record<string, { enum?: string[]; description?: string }> }
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: object }> } } }>
}

let service: TestService
let shop: TestOrganization
/** The published document, and a copy with every `$ref` resolved. */
let published: Document
let document: Document
const hourMs = 3_600_000
beforeAll(async () => {
  const sunset = new Date(Date.parse(startTime) + 30 * hourMs)
  service = await startTestService('postgres', { queryApi: { state: 'active', sunset }, apiLimits: { perKey: 1_000_000, perOrganization: null } })
  shop = await service.addOrganization('shop')
  published = (await service.app.inject('/api/openapi.json')).json()
  document = withoutRefs(published, published) as Document
})
afterAll(() => service.stop())

const operationIds = {
  'automations.create': 'post /api/automations',
  'automations.delete': 'delete /api/automations/{id}',
  'automations.get': 'get /api/automations/{id}',
  'automations.list': 'get /api/automations',
  'automations.update': 'patch /api/automations/{id}',
  'databases.createQuery': 'post /api/databases/{id}/queries',
  'databases.get': 'get /api/databases/{id}',
  'databases.list': 'get /api/databases',
  'dbt.delete': 'delete /api/knowledge/dbt',
  'dbt.import': 'post /api/knowledge/dbt',
  'dbt.list': 'get /api/knowledge/dbt',
  'metrics.create': 'post /api/knowledge/metrics',
  'metrics.delete': 'delete /api/knowledge/metrics/{id}',
  'metrics.get': 'get /api/knowledge/metrics/{id}',
  'metrics.list': 'get /api/knowledge/metrics',
  'metrics.replace': 'put /api/knowledge/metrics/{id}',
  'project.apply': 'post /api/project/apply',
  'project.get': 'get /api/project',
  'questionSets.create': 'post /api/question-sets',
  'questionSets.delete': 'delete /api/question-sets/{id}',
  'questionSets.get': 'get /api/question-sets/{id}',
  'questionSets.replace': 'put /api/question-sets/{id}',
  'savedQueries.create': 'post /api/references',
  'savedQueries.createMany': 'post /api/references/batch',
  'savedQueries.delete': 'delete /api/references/{shortId}',
  'savedQueries.get': 'get /api/references/{shortId}',
  'savedQueries.list': 'get /api/references',
  'webhookEndpoints.create': 'post /api/webhook-endpoints',
  'webhookEndpoints.delete': 'delete /api/webhook-endpoints/{id}',
  'webhookEndpoints.get': 'get /api/webhook-endpoints/{id}',
  'webhookEndpoints.list': 'get /api/webhook-endpoints',
  'webhookEndpoints.rotateSecret': 'post /api/webhook-endpoints/{id}/rotate-secret',
  'webhookEndpoints.update': 'patch /api/webhook-endpoints/{id}',
  'automationRuns.get': 'get /api/automation-runs/{id}',
  'automations.run': 'post /api/automations/{id}/runs',
  'chats.ask': 'post /api/chats/{shortId}/messages',
  'boards.create': 'post /api/boards',
  'boards.delete': 'delete /api/boards/{shortId}',
  'boards.get': 'get /api/boards/{shortId}',
  'boards.image': 'get /api/boards/{shortId}/image.png',
  'boards.list': 'get /api/boards',
  'boards.refresh': 'post /api/boards/{shortId}/refresh',
  'boards.results': 'post /api/boards/{shortId}/results',
  'boards.update': 'patch /api/boards/{shortId}',
  'folders.create': 'post /api/folders',
  'folders.delete': 'delete /api/folders/{id}',
  'folders.list': 'get /api/folders',
  'folders.update': 'patch /api/folders/{id}',
  'chats.create': 'post /api/chats',
  'chats.events': 'get /api/chats/{shortId}/events',
  'chats.get': 'get /api/chats/{shortId}',
  'chats.list': 'get /api/chats',
  'evaluations.compare': 'get /api/evaluations/{id}/comparison',
  'evaluations.get': 'get /api/evaluations/{id}',
  'evaluations.list': 'get /api/question-sets/{id}/evaluations',
  'events.createSample': 'post /api/events/samples',
  'events.stream': 'get /api/events/stream',
  'lineage.ofAutomation': 'get /api/automations/{id}/lineage',
  'lineage.ofBoard': 'get /api/boards/{shortId}/lineage',
  'lineage.ofReference': 'get /api/references/{shortId}/lineage',
  'lineage.ofTable': 'get /api/databases/{id}/users',
  'me.get': 'get /api/me',
  'references.changes': 'get /api/references/{shortId}/changes',
  'references.changePatch': 'get /api/references/{shortId}/changes/{number}/patch',
  'references.changedRows': 'get /api/references/{shortId}/changes/{number}/rows',
  'results.compare': 'get /api/references/{shortId}/compare',
  'results.why': 'get /api/references/{shortId}/why',
  'results.get': 'get /api/references/{shortId}/results/{runId}',
  'results.list': 'get /api/references/{shortId}/results',
  'queries.list': 'get /api/queries',
  'references.list': 'get /api/queries/refs',
  'references.create': 'post /api/queries/refs',
  'references.get': 'get /api/queries/refs/{shortId}',
  'references.patch': 'patch /api/references/{shortId}',
  'references.update': 'put /api/queries/refs/{shortId}',
  'references.delete': 'delete /api/queries/refs/{shortId}',
  'proofs.ofAutomationRun': 'get /api/automation-runs/{id}/proof',
  'proofs.ofMessage': 'get /api/chats/{shortId}/messages/{number}/proof',
  'proofs.result': 'get /api/runs/{runId}/result',
  'queries.get': 'get /api/queries/{queryId}',
  'queries.refresh': 'post /api/queries/{queryId}/refresh',
  'questionSets.evaluate': 'post /api/question-sets/{id}/evaluations',
  'questionSets.list': 'get /api/question-sets',
  'queries.result': 'get /api/queries/{queryId}/result',
}

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  )

test('is OpenAPI 3.1 with server and authentication', () => {
  expect(document.openapi).toMatch(/^3\.1\.\d$/)
  expect(document.info).toMatchObject({ title: 'Querypost', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
  expect(document.servers).toEqual([{ url: 'https://querypost.test' }])
  expect(document.components.securitySchemes['apiKey']).toMatchObject({ type: 'http', scheme: 'bearer' })
  expect(document.security).toEqual([{ apiKey: [] }])
})

test('excludes NUL from every text of a request, as the service does', () => {
  const parameters = operations().flatMap(({ operation }) => operation.parameters ?? [])
  const texts = parameters.filter(({ schema }) => (schema as { type?: string }).type === 'string')
  expect(texts.length).toBeGreaterThan(5)
  for (const { name, schema } of texts) expect(Schema.Check(schema, 'a\0b'), name).toBe(false)
  const { requestBody } = document.paths['/api/queries/refs/{shortId}']!['put']!
  const body = requestBody!.content['application/json']!.schema
  expect(Schema.Check(body, { title: 'Revenue' })).toBe(true)
  expect(Schema.Check(body, { title: 'Rev\0enue' })).toBe(false)
})

test('says that raw is for CSV only', () => {
  const raw = document.paths['/api/queries/{queryId}/result']!['get']!.parameters!.find(({ name }) => name === 'raw')!
  expect(raw.description).toMatch(/^Only with `format=csv`, rejected with any other format/)
})

test('lists exactly the published routes, each by its operationId', () => {
  const listed = operations().map(({ path, method, operation }) => [operation.operationId, `${method} ${path}`])
  expect(Object.fromEntries(listed)).toEqual(operationIds)
  expect(listed).toHaveLength(Object.keys(operationIds).length)
  expect(JSON.stringify(document)).not.toContain('/app/api')
})

test('marks exactly the nine retirable routes as deprecated', () => {
  const deprecated = operations().filter(({ operation }) => operation.deprecated)
  expect(deprecated.map(({ path }) => path.startsWith('/api/queries'))).toEqual(Array(9).fill(true))
})

test('names its schemas and refers to them', () => {
  const names = Object.keys(published.components.schemas)
  expect(names).toEqual(
    expect.arrayContaining(['AutomationRun', 'DeletedReference', 'Error', 'ErrorCode', 'ListedQuery', 'Me', 'Query']),
  )
  expect(names).toEqual(expect.arrayContaining(['QueryResult', 'Reference', 'ReferenceInFull', 'Run', 'RunStatus']))
  for (const [name, { description = '' }] of Object.entries(published.components.schemas)) expect(description, name).toMatch(/\w \w/)
  const answer = published.paths['/api/queries/{queryId}']!['get']!.responses['200']!
  expect(answer.content!['application/json']!.schema).toEqual({ $ref: '#/components/schemas/Query' })
})

test('rejects two schemas with the same name', () => {
  const schemas = [{ title: 'Same', type: 'string' }, { title: 'Same', type: 'null' }]
  expect(() => nameSchemas(schemas, {})).toThrow('named Same')
  expect(nameSchemas({ examples: [{ title: 'No schema' }] }, {})).toEqual({ examples: [{ title: 'No schema' }] })
})

test('documents tags, links and webhook events', () => {
  expect(document.externalDocs.url).toBe('https://querypost.test/docs')
  const tags = new Set(operations().flatMap(({ operation }) => (operation as { tags?: string[] }).tags ?? []))
  expect(document.tags.map(({ name }) => name)).toEqual(expect.arrayContaining([...tags]))
  for (const { name, description } of document.tags) expect(description, name).toMatch(/\w \w/)
  expect(Object.keys(document.webhooks)).toEqual([...eventTypes])
})

test('every operation is complete: path parameters, described responses, valid schemas', () => {
  for (const { path, method, operation } of operations()) {
    const name = `${method} ${path}`
    expect(operation.summary, name).toMatch(/\w+/)
    expect(operation.description, name).toMatch(/\w.*\.$/s)
    for (const each of operation.parameters ?? []) {
      expect(each.description, `${name} ${each.name}`).toMatch(/\w/)
      expect(each.example, `${name} ${each.name}`).toBeDefined()
    }
    for (const { headers } of Object.values(operation.responses)) expect(headers, name).toHaveProperty('x-request-id')
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
      // `nullable` of OpenAPI 3.0 is not part of 3.1.
      expect(JSON.stringify(schema), name).not.toContain('"nullable"')
    }
  }
})

describe('responses match their description', () => {
  function expectDescribed(method: string, path: string, answer: LightMyRequestResponse): void {
    const name = `${method} ${path} ${answer.statusCode}`
    const described = document.paths[path]![method.toLowerCase()]!.responses[answer.statusCode]
    expect(described, name).toBeDefined()
    const type = (answer.headers['content-type'] ?? 'application/json').split(';')[0]!
    expect(Object.keys(described!.content ?? { [type]: {} }), name).toContain(type)
    if (type !== 'application/json') return
    const body: unknown = answer.body === '' ? undefined : answer.json()
    const codes = answer.statusCode >= 400 ? [(body as { code: string }).code] : []
    expect(described!['x-error-codes'] ?? [], name).toEqual(expect.arrayContaining(codes))
    expect(document.components.schemas['ErrorCode']!.enum).toEqual(expect.arrayContaining(codes))
    // A response without content has no body.
    const schema = described!.content?.['application/json']?.schema ?? { not: {} }
    const [fits, errors] = body === undefined ? [!described!.content, []] : Schema.Errors(schema, body)
    expect(errors, `${name}: ${answer.body}`).toEqual([])
    expect(fits, name).toBe(true)
    expect(unknownKeys(schema, body), name).toEqual([])
  }

  async function automationEnd(id: string) {
    for (;;) {
      const run = (await shop.admin.api('GET', `/api/automation-runs/${id}`)).json<{ id: string; status: string; chatShortId: string }>()
      if (run.status === 'completed') return run
      await pollPause()
    }
  }

  test('for successes and errors of every route', async () => {
    const query = await storeQuery(shop, 'select n from numbers where n < {{most}}')
    const parameterless = await storeQuery(shop, 'select {{none}}')
    const unfit = await storeQuery(shop, 'select $$ {{text}} $$')
    await storeReference(shop, unfit.id, { parameters: [parameter('text', 'text', '$$')] })
    const visualization = { type: 'table', jsxConfig: '', marginConfig: { top: 1, right: 1, bottom: 1, left: 1 } }
    const parameters = [parameter('most', 'number', '3')]
    const { shortId } = await storeReference(shop, query.id, { visualization, parameters, description: 'Some' })
    const seen = new Set<string>()
    const note = (method: string, path: string, answer: LightMyRequestResponse) => {
      const code = answer.statusCode >= 400 ? ` ${answer.json<{ code: string }>().code}` : ''
      seen.add(`${method.toLowerCase()} ${path} ${answer.statusCode}${code}`)
    }
    type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
    async function ask(method: Method, path: string, id = '', body?: unknown, query = '', headers: Record<string, string> = {}) {
      const url = path.replace(/\{\w+\}/, id) + query
      const answer = await shop.admin.api(method, url, body, headers)
      expectDescribed(method, path, answer)
      note(method, path, answer)
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
    await ask('POST', refresh, unfit.id)
    await ask('GET', one, query.id)
    await ask('GET', one, 'odd')
    await ask('GET', one, unknownUuid)
    await ask('GET', result, query.id)
    await ask('GET', result, 'odd')
    for (const format of ['json', 'jsonl', 'csv', 'xlsx', 'arrow', 'parquet']) await ask('GET', result, query.id, undefined, `?format=${format}`)
    await ask('GET', result, query.id, undefined, '?format=xls')
    await ask('GET', result, unknownUuid)
    await ask('POST', refresh, query.id, huge)
    await ask('POST', refresh, query.id, { a: 1 })
    await ask('POST', refresh, unknownUuid)
    const cursors: { list: string; id?: string; query: string }[] = []
    for (const list of ['/api/queries', refs]) {
      await ask('GET', list)
      const { nextCursor } = (await ask('GET', list, '', undefined, '?limit=1')).json<{ nextCursor: string }>()
      cursors.push({ list, query: `?cursor=${encodeURIComponent(nextCursor)}` })
      await ask('GET', list, '', undefined, '?limit=0')
      await ask('GET', list, '', undefined, '?cursor=x')
    }
    const saved = (await storeReference(shop, query.id, { parameters })).shortId
    const [kept, keptResult, compare] = ['/api/references/{shortId}/results', '/api/references/{shortId}/results/{runId}', '/api/references/{shortId}/compare']
    for (const _ of [1, 2]) await endOf(service, shop, ask('POST', refresh, query.id))
    const readKept = async () => (await shop.admin.api('GET', kept.replace('{shortId}', saved))).json<{ items: { runId: string }[] }>().items
    while ((await readKept()).length < 2) await pollPause()
    const [{ runId: keptRunId }] = (await readKept()) as [{ runId: string }]
    await ask('GET', kept, saved)
    const keptPage = (await ask('GET', kept, saved, undefined, '?limit=1')).json<{ nextCursor: string }>()
    cursors.push({ list: kept, id: saved, query: `?cursor=${encodeURIComponent(keptPage.nextCursor)}` })
    await ask('GET', kept, saved, undefined, '?limit=0')
    await ask('GET', kept, saved, undefined, '?cursor=x')
    await ask('GET', kept, unknownShortId)
    const askKept = async (id: string, runId: string, search = '', headers = {}) => {
      const answer = await shop.admin.api('GET', `/api/references/${id}/results/${runId}${search}`, undefined, headers)
      expectDescribed('GET', keptResult, answer)
      note('GET', keptResult, answer)
      return answer
    }
    const { etag } = (await askKept(saved, keptRunId)).headers
    await askKept(saved, keptRunId, '', { 'if-none-match': etag })
    await askKept(saved, keptRunId, '?format=csv')
    await askKept(saved, keptRunId, '?format=xls')
    await askKept(saved, 'run_none')
    await askKept(unknownShortId, keptRunId)
    const twice = `?from=${keptRunId}&to=${keptRunId}`
    for (const search of [twice, `${twice}&format=jsonl`, `${twice}&keyColumns=none`, `?from=${keptRunId}&to=run_none`]) await ask('GET', compare, saved, undefined, search)
    await ask('GET', compare, unknownShortId, undefined, twice)
    const why = '/api/references/{shortId}/why'
    for (const search of [twice, `${twice}&measure=none`, `?from=${keptRunId}&to=run_none`, '']) await ask('GET', why, saved, undefined, search)
    await ask('GET', why, unknownShortId, undefined, twice)
    const lineage = '/api/references/{shortId}/lineage'
    for (const shortId of [saved, unknownShortId]) await ask('GET', lineage, shortId)
    await ask('GET', lineage, saved, undefined, '?x=%00')
    const users = '/api/databases/{id}/users'
    for (const id of [shop.databaseId, 'db_none']) await ask('GET', users, id, undefined, '?schema=main&table=numbers')
    await ask('GET', users, shop.databaseId)
    const [publishing, feed] = ['/api/references/{shortId}', '/api/references/{shortId}/changes']
    await ask('GET', feed, saved)
    await ask('PATCH', publishing, saved, { keyColumns: ['none'] })
    await ask('PATCH', publishing, saved, { publishesChanges: true, keyColumns: ['none'] })
    await ask('PATCH', publishing, saved, huge)
    await ask('PATCH', publishing, unknownShortId, {})
    for (const { id } of [parameterless, unfit]) {
      const { shortId: unready } = await storeReference(shop, id, { parameters: id === unfit.id ? [parameter('text', 'text', '$$')] : [] })
      await ask('PATCH', publishing, unready, { publishesChanges: true })
    }
    const doubled = await storeQuery(shop, 'select 1 as n union all select 1 as n')
    const { shortId: ambiguous } = await storeReference(shop, doubled.id)
    await endOf(service, shop, ask('POST', refresh, doubled.id))
    while ((await shop.admin.api('GET', kept.replace('{shortId}', ambiguous))).json<{ items: [] }>().items.length === 0) await pollPause()
    await ask('PATCH', publishing, ambiguous, { publishesChanges: true, keyColumns: ['n'] })
    await ask('PATCH', publishing, saved, { publishesChanges: true })
    for (const [number, fromRunId] of [keptRunId, 'run_none'].entries()) {
      await statement`
        insert into reference_changes (reference_id, number, organization_id, at, from_run_id, to_run_id, from_result_hash, to_result_hash,
          key_columns, is_key_unique, is_replacement, added, removed, changed, recorded_at)
        select reference_id, ${number + 1}::bigint, organization_id, now(), ${fromRunId}, ${keptRunId}, 'a', 'b', key_columns, true, false, 0, 0, 0, now()
        from change_feeds where reference_id = (select id from query_references where short_id = ${saved})`.execute(service.services.db)
    }
    await ask('GET', feed, saved)
    for (const search of ['?after=9', '?limit=0']) await ask('GET', feed, saved, undefined, search)
    await ask('GET', feed, unknownShortId)
    for (const path of [`${feed}/{number}/rows`, `${feed}/{number}/patch`]) {
      for (const [id, number] of [[saved, '1'], [saved, '2'], [saved, '3'], [saved, 'x'], [ambiguous, '1'], [unknownShortId, '1']] as const) {
        const answer = await shop.admin.api('GET', path.replace('{shortId}', id).replace('{number}', number))
        expectDescribed('GET', path, answer)
        note('GET', path, answer)
      }
    }
    await statement`update change_feeds set latest_number = 2 where is_publishing`.execute(service.services.db)
    await statement`delete from reference_changes where number = 1`.execute(service.services.db)
    await ask('GET', feed, saved, undefined, '?after=0')
    for (const path of [`${feed}/{number}/rows`, `${feed}/{number}/patch`]) {
      const answer = await shop.admin.api('GET', path.replace('{shortId}', saved).replace('{number}', '1'))
      expectDescribed('GET', path, answer)
      note('GET', path, answer)
    }
    await ask('POST', refs, '', { queryId: query.id })
    await ask('POST', refs, '', { queryId: unknownUuid })
    await ask('POST', refs, '', {})
    await ask('POST', refs, '', huge)
    await ask('GET', ref, shortId)
    await ask('GET', ref, unknownShortId)
    await ask('GET', ref, shortId, undefined, '?x=%00')
    await ask('PUT', ref, shortId, { title: 'New', description: null })
    await ask('PUT', ref, shortId, { title: 1 })
    await ask('PUT', ref, unknownShortId, {})
    await ask('PUT', ref, shortId, huge)
    await ask('DELETE', ref, shortId, undefined, '?x=%00')
    await ask('DELETE', ref, shortId, huge)
    await ask('DELETE', ref, shortId)
    await ask('DELETE', ref, shortId)

    const stale = { 'if-match': '"0"' }
    const [folders, folder] = ['/api/folders', '/api/folders/{id}']
    const newFolder = async (name: string) => (await ask('POST', folders, '', { name })).json<{ id: string }>().id
    const [outer, empty] = [await newFolder('Outer'), await newFolder('Empty')]
    await ask('POST', folders, '', { name: 'outer' })
    await ask('POST', folders, '', { name: 'Lost', parentId: 'folder_none' })
    await ask('POST', folders, '', huge)
    await ask('PATCH', folder, empty, { name: 'Inner', parentId: outer })
    await ask('PATCH', folder, empty, { name: 'Outer', parentId: null })
    await ask('PATCH', folder, empty, { name: '' })
    await ask('PATCH', folder, 'odd', { name: 'x' })
    await ask('PATCH', folder, empty, huge)
    for (const method of ['PATCH', 'DELETE'] as const) await ask(method, folder, empty, { name: 'Late' }, '', stale)

    const [boards, board] = ['/api/boards', '/api/boards/{shortId}']
    const tile = { kind: 'reference', referenceShortId: (await storeReference(shop, query.id, { parameters })).shortId }
    const withTile = { title: 'Numbers', tiles: [{ ...tile, x: 0, y: 0, width: 6, height: 4 }] }
    const { shortId: boardId } = (await ask('POST', boards, '', withTile)).json<{ shortId: string }>()
    await ask('POST', boards, '', { title: 'Lost', folderId: 'folder_none' })
    await ask('POST', boards, '', { title: '' })
    await ask('POST', boards, '', huge)
    await ask('POST', boards, '', { title: 'Second' })
    const change = (id: string, version: number, body: object) => ask('PATCH', board, id, body, '', ifMatch(version))
    await change(boardId, 1, { folderId: outer, parameters: [{ name: 'n', type: 'number' }] })
    await change(boardId, 1, { title: 'Late' })
    await change(boardId, 2, { folderId: 'folder_none' })
    await change(unknownShortId, 1, { title: 'x' })
    await change(boardId, 2, huge)
    await ask('PATCH', board, boardId, { title: 'x' })
    await ask('GET', board, boardId)
    await ask('GET', board, unknownShortId)
    await ask('GET', board, boardId, undefined, '?x=%00')
    const boardLineage = '/api/boards/{shortId}/lineage'
    for (const shortId of [boardId, unknownShortId]) await ask('GET', boardLineage, shortId)
    await ask('GET', boardLineage, boardId, undefined, '?x=%00')
    await ask('DELETE', folder, outer)
    await ask('DELETE', folder, 'odd')
    await ask('DELETE', folder, 'odd', undefined, '?x=%00')
    await ask('DELETE', folder, empty, huge)
    await ask('DELETE', folder, empty)
    for (const list of [boards, folders]) {
      if (list === folders) await newFolder('Third')
      await ask('GET', list)
      const { nextCursor } = (await ask('GET', list, '', undefined, '?limit=1')).json<{ nextCursor: string }>()
      cursors.push({ list, query: `?cursor=${encodeURIComponent(nextCursor)}` })
      await ask('GET', list, '', undefined, '?limit=0')
      await ask('GET', list, '', undefined, '?cursor=x')
    }
    for (const action of [`${board}/refresh`, `${board}/results`]) {
      await ask('POST', action, boardId, { parameters: { n: 3 } })
      await ask('POST', action, boardId, { parameters: { n: 'x' } })
      await ask('POST', action, boardId, { odd: 1 })
      await ask('POST', action, boardId, huge)
      await ask('POST', action, unknownShortId)
    }
    const image = `${board}/image.png`
    await ask('GET', image, boardId)
    await ask('GET', image, boardId, undefined, '?tab=odd')
    await ask('GET', image, boardId, undefined, '?other=1')
    await ask('GET', image, unknownShortId)
    await ask('GET', image, boardId, undefined, '', { 'if-none-match': '*' })
    await ask('DELETE', board, boardId)
    await ask('DELETE', board, boardId, undefined, '', ifMatch(1))
    await ask('DELETE', board, boardId, huge, '', ifMatch(2))
    await ask('DELETE', board, boardId, undefined, '', ifMatch(2))
    await ask('DELETE', board, boardId, undefined, '', ifMatch(2))

    const member = await shop.addPerson('member', 'programs@shop.test')
    async function askAsMember(method: Method, path: string, id = '', body?: unknown, headers: Record<string, string> = {}) {
      const answer = await member.api(method, path.replace(/\{\w+\}/, id), body, headers)
      expectDescribed(method, path, answer)
      note(method, path, answer)
    }
    async function askPages(list: string) {
      await ask('GET', list)
      const { nextCursor } = (await ask('GET', list, '', undefined, '?limit=1')).json<{ nextCursor: string }>()
      expect(nextCursor, list).toBeDefined()
      await ask('GET', list, '', undefined, `?limit=1&cursor=${encodeURIComponent(nextCursor)}`)
      cursors.push({ list, query: `?cursor=${encodeURIComponent(nextCursor)}` })
      await ask('GET', list, '', undefined, '?limit=0')
      await ask('GET', list, '', undefined, '?cursor=x')
    }
    const reading = "select * from ref('abcdefghjk')"
    const [databases, database] = ['/api/databases', '/api/databases/{id}']
    await shop.admin.page('POST', '/app/api/databases', { name: 'Second', engine: 'duckdb' })
    await askPages(databases)
    for (const id of [shop.databaseId, 'db_none']) await ask('GET', database, id)
    await ask('GET', database, shop.databaseId, undefined, '?x=%00')
    for (const body of [{ sql: 'select 1' }, { sql: '' }, { sql: reading }, huge]) await ask('POST', `${database}/queries`, shop.databaseId, body)
    await ask('POST', `${database}/queries`, 'db_none', { sql: 'select 1' })

    const [references, reference] = ['/api/references', '/api/references/{shortId}']
    const written = { title: 'Written', sql: 'select 1', analyticalDatabaseConfigId: shop.databaseId }
    const { shortId: writtenId } = (await ask('POST', references, '', { ...written, visualization, parameters })).json<{ shortId: string }>()
    for (const odd of [{ analyticalDatabaseConfigId: 'db_none' }, { folderId: 'folder_none' }, { title: '' }, { sql: reading }]) {
      await ask('POST', references, '', { ...written, ...odd })
    }
    await ask('POST', references, '', huge)
    await askPages(references)
    for (const id of [writtenId, unknownShortId]) await ask('GET', reference, id)
    await ask('GET', reference, writtenId, undefined, '?x=%00')
    await ask('PATCH', reference, writtenId, { title: 'Rewritten', sql: 'select 2' })
    for (const odd of [{ sql: 'select 3', analyticalDatabaseConfigId: 'db_none' }, { folderId: 'folder_none' }, { sql: reading }]) {
      await ask('PATCH', reference, writtenId, odd)
    }

    const [automations, oneAutomation] = ['/api/automations', '/api/automations/{id}']
    const daily = { name: 'Daily', instructions: 'Tell.', references: [writtenId] }
    await ask('POST', automations, '', daily)
    const { id: dailyId } = (await ask('POST', automations, '', daily)).json<{ id: string }>()
    for (const odd of [{ name: '' }, { references: [unknownShortId] }, { agent: 'model' }]) {
      await ask('POST', automations, '', { ...daily, ...odd })
      await ask('PATCH', oneAutomation, dailyId, odd)
    }
    await ask('POST', automations, '', huge)
    await askPages(automations)
    for (const id of [dailyId, 'odd']) {
      await ask('GET', oneAutomation, id)
      await ask('PATCH', oneAutomation, id, { name: 'Weekly' })
    }
    await ask('GET', oneAutomation, dailyId, undefined, '?x=%00')
    const automationLineage = '/api/automations/{id}/lineage'
    for (const id of [dailyId, 'odd']) await ask('GET', automationLineage, id)
    await ask('GET', automationLineage, dailyId, undefined, '?x=%00')
    await ask('PATCH', oneAutomation, dailyId, huge)
    for (const method of ['PATCH', 'DELETE'] as const) {
      await ask(method, oneAutomation, dailyId, { name: 'Late' }, '', stale)
      await ask(method, reference, writtenId, { title: 'Late' }, method === 'DELETE' ? '?evenIfUsed=true' : '', stale)
    }
    await ask('DELETE', reference, writtenId)
    await ask('DELETE', oneAutomation, dailyId, undefined, '?x=%00')
    await ask('DELETE', oneAutomation, dailyId, huge)
    for (const _ of [1, 2]) await ask('DELETE', oneAutomation, dailyId)
    await ask('DELETE', reference, writtenId, huge)
    await ask('DELETE', reference, writtenId, undefined, '?x=1')
    for (const _ of [1, 2]) await ask('DELETE', reference, writtenId, undefined, '?evenIfUsed=true')

    const [endpoints, oneEndpoint] = ['/api/webhook-endpoints', '/api/webhook-endpoints/{id}']
    const rotate = `${oneEndpoint}/rotate-secret`
    const receiver = { url: 'https://hooks.example/a', eventTypes: ['automation.run.failed'] }
    await ask('POST', endpoints, '', receiver)
    const { id: endpointId } = (await ask('POST', endpoints, '', receiver)).json<{ id: string }>()
    await ask('POST', endpoints, '', { ...receiver, url: 'http://127.0.0.1/' })
    await ask('POST', endpoints, '', huge)
    await askAsMember('POST', endpoints, '', receiver)
    await askAsMember('GET', endpoints)
    await askPages(endpoints)
    for (const id of [endpointId, 'odd']) {
      await ask('GET', oneEndpoint, id)
      await ask('PATCH', oneEndpoint, id, { description: 'Mine' })
      await ask('POST', rotate, id)
      await askAsMember('GET', oneEndpoint, id)
      await askAsMember('PATCH', oneEndpoint, id, {})
      await askAsMember('POST', rotate, id)
    }
    for (const _ of [1, 2]) await ask('POST', rotate, endpointId, { activate: true })
    await ask('POST', rotate, endpointId, { activate: 1 })
    await ask('POST', rotate, endpointId, huge)
    await statement`update webhook_endpoints set next_secret = 'x' where id = ${endpointId}`.execute(service.services.db)
    await ask('POST', rotate, endpointId, { activate: true })
    await ask('GET', oneEndpoint, endpointId, undefined, '?x=%00')
    await ask('PATCH', oneEndpoint, endpointId, { url: 1 })
    await ask('PATCH', oneEndpoint, endpointId, huge)
    for (const method of ['PATCH', 'DELETE'] as const) await ask(method, oneEndpoint, endpointId, { description: 'Late' }, '', stale)
    await askAsMember('DELETE', oneEndpoint, endpointId)
    await ask('DELETE', oneEndpoint, endpointId, undefined, '?x=%00')
    await ask('DELETE', oneEndpoint, endpointId, huge)
    for (const _ of [1, 2]) await ask('DELETE', oneEndpoint, endpointId)

    const dbt = '/api/knowledge/dbt'
    const manifestOf = (project: string, version = 12) => ({
      metadata: { dbt_schema_version: `https://schemas.getdbt.com/dbt/manifest/v${version}.json`, project_name: project },
    })
    for (const project of ['shop', 'finance']) await ask('POST', dbt, '', manifestOf(project), `?databaseId=${shop.databaseId}`)
    await ask('POST', dbt, '', manifestOf('shop', 8), `?databaseId=${shop.databaseId}`)
    await ask('POST', dbt, '', manifestOf('shop'), '?databaseId=db_none')
    await ask('POST', dbt, '', manifestOf('shop'))
    await ask('POST', dbt, '', manifestOf('shop'), `?databaseId=${shop.databaseId}`, { 'content-length': '999999999' })
    const refusedImport = await member.api('POST', `${dbt}?databaseId=${shop.databaseId}`, manifestOf('shop'))
    expectDescribed('POST', dbt, refusedImport)
    note('POST', dbt, refusedImport)
    await askPages(dbt)
    const ofShop = `?databaseId=${shop.databaseId}&project=shop`
    const refusedDeletion = await member.api('DELETE', `${dbt}${ofShop}`)
    expectDescribed('DELETE', dbt, refusedDeletion)
    note('DELETE', dbt, refusedDeletion)
    for (const search of ['', '?databaseId=db_none&project=shop', ofShop, ofShop]) await ask('DELETE', dbt, '', undefined, search)
    await ask('DELETE', dbt, '', huge, ofShop)

    const [metrics, metric] = ['/api/knowledge/metrics', '/api/knowledge/metrics/{id}']
    const byQuery = (shortId: string) => ({ kind: 'reference', shortId })
    const bySql = (databaseId: string) => ({ kind: 'sql', databaseId, sql: 'select 1' })
    const revenue = { name: 'Revenue', definition: bySql(shop.databaseId) }
    const { id: metricId } = (await ask('POST', metrics, '', revenue)).json<{ id: string }>()
    await ask('POST', metrics, '', { ...revenue, name: 'Costs' })
    for (const definition of [bySql('db_none'), byQuery(unknownShortId)]) {
      await ask('POST', metrics, '', { name: 'Lost', definition })
      await ask('PUT', metric, metricId, { name: 'Lost', definition }, '', ifMatch(1))
    }
    await ask('POST', metrics, '', { name: 1 })
    await ask('POST', metrics, '', huge)
    await askAsMember('POST', metrics, '', revenue)
    await askPages(metrics)
    for (const id of [metricId, 'odd']) {
      await ask('GET', metric, id)
      await ask('PUT', metric, id, { ...revenue, unit: '€' }, '', ifMatch(1))
    }
    await ask('PUT', metric, metricId, revenue, '', ifMatch(1))
    await ask('PUT', metric, metricId, revenue)
    await ask('PUT', metric, metricId, huge, '', ifMatch(2))
    await askAsMember('PUT', metric, metricId, revenue, ifMatch(2))
    await ask('GET', metric, metricId, undefined, '?x=%00')
    await askAsMember('DELETE', metric, metricId)
    await ask('DELETE', metric, metricId, undefined, '?x=%00')
    await ask('DELETE', metric, metricId, huge)
    await ask('DELETE', metric, metricId, undefined, '', ifMatch(1))
    for (const _ of [1, 2]) await ask('DELETE', metric, metricId)

    const [project, applied] = ['/api/project', '/api/project/apply']
    await ask('GET', project)
    await ask('GET', project, '', undefined, '?x=%00')
    const isNew = { id: null, expectedHash: null }
    const pushFolder = (name: string, folder?: string) => ({ path: name, ...isNew, content: { name, ...(folder !== undefined && { folder }) } })
    const pushQuery = (content: object) => ({ path: 'pushed.sql', ...isNew, content: { title: 'Pushed', database: 'Numbers', sql: 'select 1', ...content } })
    const pushAutomation = (content: object) => ({ path: 'a.automation.yaml', ...isNew, content: { name: 'A', instructions: 'Tell.', ...content } })
    const pushSet = { path: 'c.questions.yaml', ...isNew, content: { name: 'Pushed' } }
    const pushedFolder = await ask('POST', applied, '', { folders: [pushFolder('Pushed')], queries: [pushQuery({ folder: 'path:Pushed' })], questionSets: [pushSet] })
    const [folderItem, queryItem] = pushedFolder.json<{ items: { path: string; id: string; hash: string }[] }>().items
    const pushTile = { query: queryItem!.id, place: { x: 0, y: 0, width: 6, height: 4 } }
    await ask('POST', applied, '', { boards: [{ path: 'p.board.yaml', ...isNew, content: { title: 'Pushed', tiles: [pushTile] } }] })
    for (const body of [
      { folders: [pushFolder('Pushed')] },
      { folders: [pushFolder('In none', 'folder_none')] },
      { queries: [pushQuery({ folder: 'folder_none' })] },
      { queries: [pushQuery({ database: 'None' })] },
      { queries: [pushQuery({ sql: "select * from ref('abcdefghjk')" })] },
      { automations: [pushAutomation({ queries: [unknownShortId] })] },
      { automations: [pushAutomation({ agent: 'model' })] },
      { questionSets: [pushSet] },
      { deletions: [{ kind: 'folder', path: 'Pushed', id: folderItem!.id, expectedHash: folderItem!.hash }] },
      { deletions: [{ kind: 'query', path: 'pushed.sql', id: queryItem!.id, expectedHash: queryItem!.hash }] },
      { deletions: [{ kind: 'query', path: 'pushed.sql', id: queryItem!.id, expectedHash: '0' }] },
      { title: 'x'.repeat(17 * 1024 * 1024) },
    ]) {
      await ask('POST', applied, '', body)
    }
    await askAsMember('POST', applied, '', { questionSets: [pushSet] })
    const managed = ['folder', 'query', 'board', 'automation', 'metric', 'question_set'].map((kind) => ({ kind, path: `managed ${kind}`, id: null, url: 'https://git.example/' }))
    const [inFolder, inQuery, inBoard, inAutomation, inMetric, inSet] = (
      await ask('POST', applied, '', {
        folders: [{ ...pushFolder('Managed'), path: 'managed folder' }],
        queries: [{ ...pushQuery({}), path: 'managed query' }],
        boards: [{ path: 'managed board', ...isNew, content: { title: 'Managed' } }],
        automations: [{ ...pushAutomation({ queries: ['path:managed query'] }), path: 'managed automation' }],
        metrics: [{ path: 'managed metric', ...isNew, content: { name: 'Managed', database: 'Numbers', sql: 'select 1' } }],
        questionSets: [{ path: 'managed question_set', ...isNew, content: { name: 'Managed' } }],
        managed,
      })
    ).json<{ items: { id: string }[] }>().items.map(({ id }) => id)
    await ask('POST', '/api/folders', '', { name: 'In it', parentId: inFolder })
    await ask('POST', '/api/boards', '', { title: 'In it', folderId: inFolder })
    await ask('POST', '/api/references', '', { title: 'In it', sql: 'select 1', analyticalDatabaseConfigId: shop.databaseId, folderId: inFolder })
    const batch = (change: object) => ask('POST', '/api/references/batch', '', { items: [{ title: 'Many', sql: 'select 1', analyticalDatabaseConfigId: shop.databaseId, ...change }] })
    for (const change of [{}, { title: '' }, { folderId: inFolder }, { folderId: 'folder_none' }, { analyticalDatabaseConfigId: 'db_none' }, { sql: "select * from ref('abcdefghjk')" }]) {
      await batch(change)
    }
    await ask('POST', '/api/references/batch', '', huge)
    for (const method of ['PATCH', 'DELETE'] as const) {
      await ask(method, '/api/folders/{id}', inFolder, method === 'PATCH' ? { name: 'Mine' } : undefined)
      await ask(method, '/api/references/{shortId}', inQuery, method === 'PATCH' ? { title: 'Mine' } : undefined, method === 'DELETE' ? '?evenIfUsed=true' : '')
      await ask(method, '/api/boards/{shortId}', inBoard, method === 'PATCH' ? { title: 'Mine' } : undefined, '', ifMatch(1))
      await ask(method, '/api/automations/{id}', inAutomation, method === 'PATCH' ? { name: 'Mine' } : undefined)
    }
    await ask('PUT', metric, inMetric, revenue, '', ifMatch(1))
    await ask('DELETE', metric, inMetric)
    for (const method of ['PUT', 'DELETE'] as const) await ask(method, '/api/question-sets/{id}', inSet, { name: 'Mine', questions: [] })
    const setAccess = (level: string) => shop.admin.page('PUT', `/app/api/access/databases/${shop.databaseId}`, { levels: [{ groupId: null, level }] })
    await setAccess('none')
    await askAsMember('GET', project)
    await setAccess('query')

    const slow = await storeQuery(shop, 'select count(*) from range(1000000) a (i), range(1000000) b (j) where (i * j) % 7 = 3')
    const running = (await shop.admin.api('POST', `/api/queries/${slow.id}/refresh`)).json()
    await ask('POST', refresh, slow.id)
    await shop.admin.page('POST', `/app/api/runs/${running.id}/cancel`)
    await service.ended(shop.admin.caller, running.id)
    await ask('GET', one, slow.id)

    const setRules = (rules: object[]) => shop.admin.page('PUT', `/app/api/access/databases/${shop.databaseId}/row-rules`, { rules })
    await setRules([{ attribute: 'region', kind: 'parameter', name: 'region', automationValue: null }])
    await ask('POST', refresh, query.id)
    await setRules([])

    const [stream, samples] = ['/api/events/stream', '/api/events/samples']
    const type = 'automation.run.failed'
    await ask('POST', samples, '', { type })
    await ask('POST', samples, '', { type: 'odd' })
    await ask('POST', samples, '', { type, endpointId: 'we_nothing' })
    await ask('POST', samples, '', huge)
    await ask('GET', stream, '', undefined, '?type=odd')
    const authorization = `Bearer ${shop.admin.apiKey}`
    const opened = await service.app.inject({ url: stream, headers: { authorization }, payloadAsStream: true })
    expectDescribed('GET', stream, opened)
    note('GET', stream, opened)
    opened.stream().destroy()
    const { organizationId } = shop.admin.caller
    const keyId = (await shop.admin.api('GET', '/api/me')).json<{ key: { id: string } }>().key.id
    const now = service.clock.now()
    for (let index = 0; index < listenersMaxOfKey; index += 1) {
      const listener = { id: `listener_${index}`, organizationId, keyId, eventTypes: [], until: new Date(now.getTime() + hourMs) }
      await addListener(service.services.db, listener, { now, maxOfKey: listenersMaxOfKey })
    }
    await ask('GET', stream)
    await shop.admin.page('PATCH', '/app/api/organization', { webhooksEnabled: false })
    await ask('GET', stream)
    await ask('POST', samples, '', { type })

    const [run, automationRun] = ['/api/automations/{id}/runs', '/api/automation-runs/{id}']
    const automation = await createAutomation(shop, { references: [(await storeReference(shop, query.id, { parameters })).shortId] })
    // Of two concurrent requests, one fails because the query is already running.
    const both = await Promise.all([ask('POST', run, automation.id), ask('POST', run, automation.id)])
    const requested = both.find((answer) => answer.statusCode === 202)!
    await ask('POST', run, unknownAutomationId)
    await ask('POST', run, automation.id, huge)
    await ask('POST', run, automation.id, { a: 1 })
    await ask('GET', automationRun, requested.json<{ id: string }>().id)
    await ask('GET', automationRun, 'odd')
    await ask('GET', automationRun, 'odd', undefined, '?x=%00')

    const [proof, messageProof, runResult] = ['/api/automation-runs/{id}/proof', '/api/chats/{shortId}/messages/{number}/proof', '/api/runs/{runId}/result']
    const askMessage = async (shortId: string, number: string, query = '') => {
      const answer = await shop.admin.api('GET', messageProof.replace('{shortId}', shortId).replace('{number}', number) + query)
      expectDescribed('GET', messageProof, answer)
      note('GET', messageProof, answer)
    }
    // It never has a summary: the digest agent fails without references.
    const { runId, shortId: pendingChat } = await openChat(service, shop, 'Pending')
    await ask('GET', proof, runId)
    await askMessage(pendingChat, '1')
    await askMessage(pendingChat, '9')
    await askMessage(unknownShortId, '1')
    await askMessage(pendingChat, '1', '?x=%00')
    const summarized = await automationEnd(requested.json<{ id: string }>().id)
    const { figures } = (await ask('GET', proof, summarized.id)).json<{ figures: { runId: string }[] }>()
    await askMessage(summarized.chatShortId, '3')
    await ask('GET', proof, 'odd')
    await ask('GET', proof, 'odd', undefined, '?x=%00')
    await ask('GET', runResult, figures[0]!.runId)
    await ask('GET', runResult, running.id)
    await ask('GET', runResult, 'odd')
    await ask('GET', runResult, 'odd', undefined, '?x=%00')

    const [chats, chat, messages, events] = ['/api/chats', '/api/chats/{shortId}', '/api/chats/{shortId}/messages', '/api/chats/{shortId}/events']
    const question = 'How many?'
    await ask('POST', chats, '', { question })
    await setUpModel(service, shop)
    await ask('POST', chats, '', { question, analyticalDatabaseConfigId: 'db_none' })
    await ask('POST', chats, '', { question: '' })
    await ask('POST', chats, '', huge)
    // Answered by the service itself, and by an agent whose model cannot be reached.
    const answered = (await ask('POST', chats, '', { question: 'Email this to Bob.' })).json<{ shortId: string }>().shortId
    const [asked, refused] = await Promise.all([ask('POST', messages, answered, { question }), ask('POST', messages, answered, { question })])
    expect([asked.statusCode, refused.statusCode].toSorted((a, b) => a - b)).toEqual([202, 409])
    await ask('POST', messages, unknownShortId, { question })
    await ask('POST', messages, answered, { question: 1 })
    await ask('POST', messages, answered, huge)
    await ask('GET', chat, answered)
    await ask('GET', chat, unknownShortId)
    await ask('GET', chat, answered, undefined, '?x=%00')
    await ask('GET', chats)
    const { nextCursor: nextChat } = (await ask('GET', chats, '', undefined, '?limit=1')).json<{ nextCursor: string }>()
    cursors.push({ list: chats, query: `?cursor=${encodeURIComponent(nextChat)}` })
    await ask('GET', chats, '', undefined, '?limit=0')
    await ask('GET', chats, '', undefined, '?cursor=x')
    await ask('GET', events, unknownShortId)
    await ask('GET', events, answered, undefined, '?x=%00')
    const streams = []
    for (let index = 0; index < defaultStreamLimits.perPerson; index += 1) {
      streams.push(await service.app.inject({ url: `/api/chats/${answered}/events`, headers: { authorization }, payloadAsStream: true }))
    }
    expectDescribed('GET', events, streams[0]!)
    note('GET', events, streams[0]!)
    await ask('GET', events, answered)
    for (const each of streams) each.stream().destroy()

    const [sets, evaluations, evaluation, comparison] = [
      '/api/question-sets',
      '/api/question-sets/{id}/evaluations',
      '/api/evaluations/{id}',
      '/api/evaluations/{id}/comparison',
    ]
    const expected = { expectedSql: 'select 1', expectedRows: null, isOrdered: false, tolerance: 0 }
    const given = { name: 'Checks', questions: [{ text: 'What is one?', databaseId: shop.databaseId, ...expected }] }
    const oneSet = '/api/question-sets/{id}'
    const { id: setId } = (await ask('POST', sets, '', given)).json<{ id: string }>()
    await ask('POST', sets, '', given)
    const { id: otherId } = (await ask('POST', sets, '', { ...given, name: 'Other' })).json<{ id: string }>()
    const elsewhere = { name: 'Lost', questions: [{ ...given.questions[0], databaseId: 'db_none' }] }
    await ask('POST', sets, '', elsewhere)
    await ask('POST', sets, '', { name: '' })
    await ask('POST', sets, '', huge)
    await askAsMember('POST', sets, '', given)
    for (const id of [otherId, 'odd']) {
      await ask('GET', oneSet, id)
      await ask('PUT', oneSet, id, { ...given, name: 'Others' })
    }
    for (const body of [given, elsewhere, { name: '' }, huge]) await ask('PUT', oneSet, otherId, body)
    await askAsMember('PUT', oneSet, otherId, given)
    await ask('GET', oneSet, otherId, undefined, '?x=%00')
    for (const method of ['PUT', 'DELETE'] as const) await ask(method, oneSet, otherId, given, '', stale)
    await askPages(sets)
    await askAsMember('DELETE', oneSet, otherId)
    await ask('DELETE', oneSet, otherId, undefined, '?x=%00')
    await ask('DELETE', oneSet, otherId, huge)
    for (const _ of [1, 2]) await ask('DELETE', oneSet, otherId)
    await ask('GET', sets)
    await ask('GET', sets, '', undefined, '?x=%00')
    async function stopEvaluation(id: string): Promise<void> {
      await shop.admin.page('POST', `/app/api/evaluations/${id}/stop`)
      const hasEnded = async () => (await ask('GET', evaluation, id)).json<{ endedAt: string | null }>().endedAt !== null
      while (!(await hasEnded())) await pollPause()
    }
    const { questionSets } = (await ask('GET', project)).json<{ questionSets: { id: string; hash: string }[] }>()
    const { hash: expectedHash } = questionSets.find(({ id }) => id === setId)!
    const started = (await ask('POST', evaluations, setId)).json<{ id: string }>().id
    await stopEvaluation(started)
    // As if it were still running, which it may not be for long enough.
    const { db } = service.services
    await statement`update evaluations set ended_at = null where id = ${started}`.execute(db)
    await ask('POST', evaluations, setId)
    await ask('DELETE', oneSet, setId)
    await ask('POST', applied, '', { deletions: [{ kind: 'question_set', path: 'c.questions.yaml', id: setId, expectedHash }] })
    await statement`update evaluations set ended_at = now() where id = ${started}`.execute(db)
    const next = (await ask('POST', evaluations, setId)).json<{ id: string }>().id
    await stopEvaluation(next)
    const { nextCursor: nextEvaluation } = (await ask('GET', evaluations, setId, undefined, '?limit=1')).json<{ nextCursor: string }>()
    cursors.push({ list: evaluations, id: setId, query: `?cursor=${encodeURIComponent(nextEvaluation)}` })
    await ask('POST', evaluations, 'odd')
    await ask('POST', evaluations, setId, { label: 1 })
    await ask('POST', evaluations, setId, huge)
    const byMember = await member.api('POST', `/api/question-sets/${setId}/evaluations`)
    expectDescribed('POST', evaluations, byMember)
    note('POST', evaluations, byMember)
    await ask('GET', evaluations, setId)
    await ask('GET', evaluations, 'odd')
    await ask('GET', evaluations, setId, undefined, '?limit=0')
    await ask('GET', evaluations, setId, undefined, '?cursor=x')
    await ask('GET', evaluation, started)
    await ask('GET', evaluation, 'odd')
    await ask('GET', evaluation, started, undefined, '?x=%00')
    await ask('GET', comparison, started, undefined, `?with=${started}`)
    await ask('GET', comparison, started, undefined, '?with=odd')
    await ask('GET', comparison, started)

    await shop.admin.page('PUT', '/app/api/model-budget', {
      currency: null,
      limits: [{ scope: 'organization', period: 'day', unit: 'tokens', amount: 0 }],
      prices: [],
    })
    await ask('POST', chats, '', { question })
    await ask('POST', messages, (await openChat(service, shop)).shortId, { question })
    await ask('POST', evaluations, setId)
    await shop.admin.page('DELETE', '/app/api/model-settings')
    await ask('POST', messages, (await openChat(service, shop)).shortId, { question })
    await ask('POST', evaluations, setId)

    const warehouse = await startScriptedBigquery()
    const analyticalDatabaseConfigId = await addBigquery(shop, warehouse.port)
    const costLimits = { ...noCostLimits, perQueryBytes: 500 }
    await shop.admin.page('PATCH', '/app/api/organization', { costLimits })
    const large = (await shop.admin.page('POST', '/app/api/queries', { sql: 'select 501', analyticalDatabaseConfigId })).json<{ id: string }>()
    const tiles = [referenceTile('t1', (await storeReference(shop, large.id)).shortId, 0)]
    const costly = (await shop.admin.page('POST', '/app/api/boards', { title: 'Costs', tiles })).json<{ shortId: string }>()
    const runLarge = async () => {
      await ask('POST', refresh, large.id)
      await ask('POST', `${board}/refresh`, costly.shortId)
    }
    await runLarge()
    await warehouse.stop()
    await runLarge()

    const headers = { authorization: `Bearer ${shop.admin.apiKey}`, 'if-none-match': '*' }
    const unchanged = await service.app.inject({ url: `/api/queries/${query.id}/result`, headers })
    expect(unchanged.statusCode).toBe(304)
    expectDescribed('GET', result, unchanged)
    note('GET', result, unchanged)
    const unchangedRun = await service.app.inject({ url: `/api/runs/${figures[0]!.runId}/result`, headers })
    expectDescribed('GET', runResult, unchangedRun)
    note('GET', runResult, unchangedRun)
    const { key: narrow } = (await shop.admin.page('POST', '/app/api/api-keys', { name: 'Narrow', scopes: ['run:webhooks'] })).json()
    const { key: wide } = (await shop.admin.page('POST', '/app/api/api-keys', { name: 'Wide', scopes: ['read', 'write', 'admin'] })).json()
    for (const { path, method } of operations().filter((each) => each.path !== '/api/me')) {
      const key = path === samples ? wide : narrow
      const answer = await service.app.inject({ method: method.toUpperCase() as 'GET', url: path, headers: { authorization: `Bearer ${key}` } })
      expectDescribed(method, path, answer)
      note(method, path, answer)
    }
    const scopes = ['read', 'run', 'write', 'admin']
    const { id: busyId, key: busy } = (await shop.admin.page('POST', '/app/api/api-keys', { name: 'Busy', scopes })).json()
    await service.services.db.insertInto('api_budgets').values({ key: busyId, full_at: new Date(now.getTime() + hourMs) }).execute()
    for (const { path, method } of operations()) {
      const answer = await service.app.inject({ method: method.toUpperCase() as 'GET', url: path, headers: { authorization: `Bearer ${busy}` } })
      expectDescribed(method, path, answer)
      note(method, path, answer)
    }
    await shop.admin.api('POST', folders, { name: 'Keyed' }, { 'idempotency-key': 'used' })
    for (const { path } of operations().filter(({ method }) => method === 'post')) {
      await ask('POST', path, 'any', {}, '', { 'idempotency-key': 'used' })
    }
    for (const { path, method } of operations()) {
      const answer = await service.app.inject({ method: method.toUpperCase() as 'GET', url: path })
      expect(answer.statusCode).toBe(401)
      expectDescribed(method, path, answer)
      note(method, path, answer)
    }

    service.clock.leap(25 * hourMs)
    await ask('GET', result, query.id)
    await ask('GET', runResult, figures[0]!.runId)
    for (const { list, id, query } of cursors) await ask('GET', list, id, undefined, query)
    const config = { organizationId: shop.admin.caller.organizationId, configId: shop.databaseId }
    await service.services.db.transaction().execute((tx) => markDatabaseDeleted(tx, config, service.clock.now()))
    await ask('POST', refresh, query.id)
    service.clock.leap(10 * hourMs)
    for (const { path, method } of operations().filter(({ operation }) => operation.deprecated)) {
      await ask(method.toUpperCase() as 'GET', path, unknownUuid)
    }

    const described = operations().flatMap(({ path, method, operation }) =>
      Object.entries(operation.responses).flatMap(([status, response]) =>
        (response['x-error-codes'] ?? ['']).map((code) => `${method} ${path} ${status} ${code}`.trim()),
      ),
    )
    // errors.test.ts covers internal errors and an unavailable store.
    const answerable = described.filter((each) => !/ 5\d\d \w+$/.test(each))
    expect([...seen].toSorted()).toEqual(answerable.toSorted())
  })
})

/** Resolves every `$ref` recursively. No schema contains itself. */
function withoutRefs(part: unknown, whole: Document): unknown {
  if (Array.isArray(part)) return part.map((each) => withoutRefs(each, whole))
  if (typeof part !== 'object' || part === null) return part
  const { $ref } = part as { $ref?: string }
  if ($ref === undefined) return Object.fromEntries(Object.entries(part).map(([key, value]) => [key, withoutRefs(value, whole)]))
  let found: unknown = whole
  for (const step of $ref.replace(/^#\//, '').split('/')) found = (found as Record<string, unknown>)[step]
  expect(found, $ref).toBeTypeOf('object')
  return withoutRefs(found, whole)
}

/** Keys of the response that its schema does not list: response schemas allow them, responses must not have them. */
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
