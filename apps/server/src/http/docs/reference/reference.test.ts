import { describe, expect, test } from 'vitest'
import { exampleRequest, exampleValue } from './example-request.ts'
import { fieldRows, parameterRows, variantsOf } from './field-rows.ts'
import { findGuides } from './guides.ts'
import { limitsOf } from './operation-html.ts'
import { type Document, operationsOf, type Operation } from './openapi-document.ts'
import { makeReference } from './reference.ts'
import { snippetsOf } from './snippets.ts'

const id = { name: 'id', in: 'path', required: true, description: 'Its id.', example: 'a/b', schema: { type: 'string' } } as const
const limit = {
  name: 'limit',
  in: 'query',
  required: true,
  example: 50,
  schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
} as const
const cursor = { name: 'cursor', in: 'query', example: 'x', schema: { type: 'string' } } as const
const failed = (...codes: string[]) => ({ description: '', 'x-error-codes': codes })
const returns = (name: string) => ({
  description: 'A thing.',
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
})
const body = {
  content: {
    'application/json': {
      schema: {
        type: 'object',
        required: ['title'],
        properties: {
          title: { type: 'string', maxLength: 200, examples: ['It’s "new"'] },
          isDraft: { type: 'boolean' },
        },
      },
    },
  },
}

const operations: Record<string, Record<string, Operation>> = {
  '/api/things': {
    get: {
      operationId: 'things.list',
      summary: 'List things',
      tags: ['Things'],
      parameters: [limit, cursor],
      responses: { 200: returns('ThingPage'), 400: failed('invalid_request', 'cursor_expired') },
    },
    post: {
      operationId: 'things.create',
      summary: 'Create a thing',
      tags: ['Things'],
      requestBody: body,
      responses: { 201: returns('Thing'), 400: failed('invalid_request') },
    },
  },
  '/api/things/{id}': {
    get: {
      operationId: 'things.get',
      summary: 'Retrieve a thing',
      tags: ['Things'],
      deprecated: true,
      description: 'See `GET /api/things`.',
      parameters: [id],
      responses: { 200: returns('Thing'), 400: failed('invalid_request') },
    },
  },
  '/api/stream': {
    get: {
      operationId: 'things.stream',
      summary: 'Listen',
      tags: ['Things'],
      responses: {
        200: { description: 'The stream.', content: { 'text/event-stream': { schema: { $ref: '#/components/schemas/Thing' } } } },
        400: failed('invalid_request'),
      },
    },
  },
}

const document: Document = {
  tags: [
    { name: 'Things', description: 'All things.' },
    { name: 'Empty', description: 'No routes.' },
  ],
  components: {
    schemas: {
      Thing: {
        type: 'object',
        required: ['id', 'owner', 'parts'],
        properties: {
          id: { type: 'string', examples: ['thing_1'] },
          owner: { anyOf: [{ $ref: '#/components/schemas/Owner' }, { type: 'null' }] },
          parts: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
          createdAt: { type: 'string', format: 'date-time', description: 'ISO 8601, UTC' },
        },
      },
      Owner: { type: 'object', description: 'Who has it.', required: ['name'], properties: { name: { type: ['string', 'null'] } } },
      ThingPage: { type: 'object', required: ['items'], properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Thing' } } } },
    },
  },
  paths: operations,
}
const routeOf = (operationId: string) => operationsOf(document).find(({ operation }) => operation.operationId === operationId)!
const page = (text: string) => ({ file: 'docs/api/things.md', address: '/docs/api/things', title: 'Things', text })
const guidePage = page('# Things\n\n## List them\n\n<!-- begin route things.list -->\n\n```json answer\n{ "items": [] }\n```\n\n## Other\n')

describe('rows', () => {
  test('show an object’s fields, with those of nested objects and lists below them', () => {
    const rows = fieldRows(document, { $ref: '#/components/schemas/Thing' })
    expect(rows.map(({ name, type, isRequired }) => [name, type, isRequired])).toEqual([
      ['id', 'string', true],
      ['owner', 'Owner or null', true],
      ['parts', 'list of object', true],
      ['createdAt', 'timestamp', false],
    ])
    expect(rows[1]).toMatchObject({ description: 'Who has it.', children: [{ name: 'name', type: 'string or null' }] })
    expect(rows[2]!.children).toMatchObject([{ name: 'name', isRequired: false }])
    expect(rows[3]!.description).toBe('')
  })

  test('show a parameter with a default as optional', () => {
    const { operation } = routeOf('things.list')
    expect(parameterRows(document, operation, 'query')).toMatchObject([
      { name: 'limit', type: 'integer, 1 to 100, 20 by default', isRequired: false },
      { name: 'cursor', type: 'string', isRequired: false },
    ])
    expect(parameterRows(document, routeOf('things.get').operation, 'path')).toMatchObject([{ name: 'id', isRequired: true }])
  })

  test('name the objects that a response is one of', () => {
    const anyOf = ['Thing', 'Owner'].map((name) => ({ $ref: `#/components/schemas/${name}` }))
    expect(variantsOf(document, { anyOf }).map(({ name, rows }) => [name, rows.length])).toEqual([
      ['Thing', 4],
      ['Owner', 1],
    ])
  })
})

describe('examples', () => {
  test('take values from the document, and otherwise fit the type', () => {
    expect(exampleValue(document, { $ref: '#/components/schemas/Thing' })).toEqual({
      id: 'thing_1',
      owner: { name: '…' },
      parts: [{ name: '…' }],
      createdAt: '2026-01-05T09:00:00.000Z',
    })
  })

  test('send required parameters and fields only', () => {
    expect(exampleRequest(document, routeOf('things.list'))).toMatchObject({ query: { limit: 50 }, body: undefined, isList: true })
    expect(exampleRequest(document, routeOf('things.create')).body).toEqual({ title: 'It’s "new"' })
    expect(exampleRequest(document, routeOf('things.get'))).toMatchObject({ path: '/api/things/a%2Fb', pathValues: ['a/b'] })
    expect(exampleRequest(document, routeOf('things.stream')).isStream).toBe(true)
  })
})

describe('snippets', () => {
  const codes = (operationId: string) => snippetsOf(document, routeOf(operationId)).map(({ code }) => code)

  test('read a list', () => {
    const [curl, typescript, python] = codes('things.list')
    expect(curl).toBe('curl "$QUERYPOST_URL/api/things?limit=50" \\\n  -H "Authorization: Bearer $QUERYPOST_API_KEY"\n')
    expect(typescript).toContain('for await (const item of client.things.list({ limit: 50 })) {\n  console.log(item)\n}\n')
    expect(python).toContain('    f"{url}/api/things?limit=50",\n')
    expect(python).toContain('    print(json.load(response))\n')
  })

  test('send a body, quoted for each language', () => {
    const [curl, typescript, python] = codes('things.create')
    expect(curl).toContain(`curl -X POST "$QUERYPOST_URL/api/things"`)
    expect(curl).toContain(String.raw`-d '{"title":"It’s \"new\""}'`)
    expect(typescript).toContain(`await client.things.create(\n  { title: 'It’s "new"' },\n)\nconsole.log(response)`)
    expect(python).toContain('    method="POST",\n')
    expect(python).toContain(String.raw`data=json.dumps({"title": "It’s \"new\""}).encode(),`)
  })

  test('follow a stream', () => {
    const [curl, typescript, python] = codes('things.stream')
    expect(curl).toContain('curl -N "')
    expect(typescript).toContain('for await (const message of client.things.stream())')
    expect(python).toContain('for line in response:')
    expect(python).not.toContain('import json')
  })
})

test('limits are those of the parameters, the fields and the body', () => {
  expect(limitsOf(routeOf('things.list'))).toEqual(['`limit`: 1 to 100'])
  expect(limitsOf(routeOf('things.create'))).toEqual(['`title`: at most 200 characters', 'request body: at most 1 MiB'])
  expect(limitsOf(routeOf('things.get'))).toEqual([])
})

test('guides are found by their marks, with the example response of their section', () => {
  expect([...findGuides([guidePage, page('# Nothing\n')])]).toEqual([
    ['things.list', { address: '/docs/api/things#list-them', pageTitle: 'Things', exampleResponse: '{ "items": [] }\n' }],
  ])
})

describe('the reference', () => {
  const reference = makeReference(document, [guidePage])
  const html = reference.html()

  test('has a section for every route, grouped by tag', () => {
    const ids = [...html.matchAll(/<h[23] id="([^"]+)">/g)].map(([, heading]) => heading)
    expect(ids).toEqual(['things', 'things.list', 'things.create', 'things.get', 'things.stream'])
    expect(reference.entriesHtml([{ level: 2, id: 'limits', text: 'Limits' }])).toMatch(/#limits.*#things".*#things\.list/s)
  })

  test('lists a route’s own errors with their meaning, and those of all routes in one line', () => {
    expect(html).toMatch(/<code>cursor_expired<\/code><\/a><p>The cursor is older/)
    expect(html).not.toMatch(/<code>invalid_request<\/code><\/a><p>/)
  })

  test('marks deprecated routes, links to the guide, and shows its example', () => {
    expect(html.match(/>Deprecated</g)).toHaveLength(1)
    expect(html).toContain('<a href="/docs/api/things#list-them">')
    expect(reference.addressOf('GET /api/things/{id}')).toBe('/docs/api#things.get')
    expect(reference.addressOf('GET /api/none')).toBeUndefined()
  })

  test('has forms that no browser can submit into a URL', () => {
    expect(html.match(/<details class="try" hidden>/g)).toHaveLength(4)
    expect(html).not.toMatch(/<(input|select|textarea)[^>]* name=/)
  })

  test('is searched by title, path and field', () => {
    expect(reference.sections[0]).toMatchObject({ title: 'List things', address: '/docs/api#things.list' })
    expect(reference.sections[0]!.text).toMatch(/GET \/api\/things .*cursor.*owner/)
  })
})
