import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type CollectedRoute, collectRoutes } from '@querypost/server/testing'
import { startTestService } from '@querypost/server/testing/suites'
import { eventSamples, eventTypesOfLibrary } from './generate-event-types.ts'
import { generatePagesTypes } from './generate-pages-types.ts'

const folder = new URL('../../apps/web/src/api/generated/', import.meta.url)

test('the generated types match the routes (`npm run types` regenerates them)', async () => {
  const { built, routes } = await collectRoutes(() => startTestService('postgres', { worker: false }))
  await built.stop()
  const generated = generatePagesTypes(routes)
  expect(readdirSync(folder).toSorted()).toEqual(Object.keys(generated).toSorted())
  for (const [name, text] of Object.entries(generated)) expect(readFileSync(new URL(name, folder), 'utf8'), name).toBe(text)
})

test('the receivers’ library has every event type (`npm run types` regenerates them)', () => {
  const generated = eventTypesOfLibrary()
  const ofLibrary = new URL('../../packages/webhooks/src/', import.meta.url)
  for (const [name, text] of Object.entries(generated)) expect(readFileSync(new URL(name, ofLibrary), 'utf8'), name).toBe(text)
  expect(readFileSync(new URL('../scripts/event-samples.ts', ofLibrary), 'utf8')).toBe(eventSamples())
})

const route = (change: Partial<CollectedRoute>): CollectedRoute => ({
  method: 'GET',
  url: '/app/api/things/:id',
  schema: undefined,
  config: undefined,
  ...change,
})

test('a titled object becomes a type, also if nullable, and its enums become lists', () => {
  const Thing = {
    title: 'Thing',
    type: 'object',
    properties: { state: { title: 'ThingStatus', type: 'string', enum: ['on', 'off'] }, headers: { type: 'object', patternProperties: { '^.*$': { type: 'string' } } } },
    required: ['state'],
  }
  const answer = { type: 'object', properties: { one: Thing, other: { ...Thing, type: ['object', 'null'] } }, required: ['one', 'other'] }
  const files = generatePagesTypes([
    route({ schema: { params: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }, response: { 200: answer } } }),
    route({ method: 'DELETE', schema: { response: { 204: { type: 'null' } } } }),
    route({ method: 'POST', schema: { response: { 204: { type: 'null' }, 200: Thing } } }),
    route({ url: '/api/things' }),
  ])
  expect(files['operations.ts']).toContain("  'POST /things/{id}': {\n    answer: Thing | null\n  }\n")
  expect(files['schemas.ts']).toContain("export interface Thing {\n  state: ThingStatus\n  headers?: Record<string, string>\n}\n")
  expect(files['operations.ts']).toContain("  'GET /things/{id}': {\n    params: {\n      id: string\n    }\n    answer: {\n      one: Thing\n      other: Thing | null\n    }\n  }\n")
  expect(files['operations.ts']).toContain("  'DELETE /things/{id}': {\n    answer: null\n  }\n")
  expect(files['operations.ts']).not.toContain("'GET /things'")
  expect(files['values.ts']).toContain("export const thingStatuses = ['on', 'off'] as const\n")
})
