import fastify from 'fastify'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { buildChecked } from './check-answers.ts'

const Answer = Type.Object({
  name: Type.String(),
  note: Type.Optional(Type.String()),
  inner: Type.Array(Type.Union([Type.Object({ kind: Type.Literal('a') }), Type.Null()])),
})

/** What becomes of an answer, and the fault that is told at the end. */
async function answered(payload: unknown, path = '/app/api/thing') {
  const { app, expectNoFaults } = await buildChecked(async () => {
    const app = fastify()
    await app.register(async (routes) => {
      routes.get(path, { schema: { response: { 200: Answer } } }, async () => payload)
    })
    return app
  })
  const { statusCode } = await app.inject(path)
  await app.close()
  try {
    expectNoFaults()
  } catch (error) {
    return { statusCode, fault: (error as Error).message }
  }
  return { statusCode, fault: undefined }
}

test('an answer that fits passes, and what is undefined counts as left out', async () => {
  expect(await answered({ name: 'x', note: undefined, inner: [{ kind: 'a' }, null] })).toEqual({ statusCode: 200, fault: undefined })
})

test.each([
  ['a field that the schema does not name', { name: 'x', inner: [], secret: 1 }, '/secret'],
  ['such a field within a union', { name: 'x', inner: [{ kind: 'a', secret: 1 }] }, '/inner/0/secret'],
  ['a Date where a text should be', { name: new Date(0), inner: [] }, '/name'],
  ['a missing field', { inner: [] }, 'name'],
])('rejects %s', async (_, payload, place) => {
  const { statusCode, fault } = await answered(payload)
  expect(statusCode).toBe(500)
  expect(fault).toContain('GET /app/api/thing answered 200')
  expect(fault).toContain(place)
})

test('leaves the published routes to their own tests', async () => {
  expect(await answered({ name: 'x', inner: [], secret: 1 }, '/api/thing')).toEqual({ statusCode: 200, fault: undefined })
})
