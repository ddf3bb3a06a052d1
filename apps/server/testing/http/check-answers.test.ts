import { Readable } from 'node:stream'
import fastify, { type FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { expect, test } from 'vitest'
import { eventStreamResponse } from '../../src/http/page-responses.ts'
import type { Events } from '../../src/http/server-sent-events.ts'
import { buildChecked } from './check-answers.ts'

const Answer = Type.Object({
  name: Type.String(),
  note: Type.Optional(Type.String()),
  inner: Type.Array(Type.Union([Type.Object({ kind: Type.Literal('a') }), Type.Null()])),
})

/** The status of an answer, and the fault reported at the end. */
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

test('accepts a valid answer and treats undefined fields as missing', async () => {
  expect(await answered({ name: 'x', note: undefined, inner: [{ kind: 'a' }, null] })).toEqual({ statusCode: 200, fault: undefined })
})

test.each([
  ['a field missing from the schema', { name: 'x', inner: [], secret: 1 }, '/secret'],
  ['such a field in a union', { name: 'x', inner: [{ kind: 'a', secret: 1 }] }, '/inner/0/secret'],
  ['a Date instead of a string', { name: new Date(0), inner: [] }, '/name'],
  ['a missing field', { inner: [] }, 'name'],
])('rejects %s', async (_, payload, place) => {
  const { statusCode, fault } = await answered(payload)
  expect(statusCode).toBe(500)
  expect(fault).toContain('GET /app/api/thing answered 200')
  expect(fault).toContain(place)
})

test('rejects an invalid event after valid ones', async () => {
  const { app, expectNoFaults } = await buildChecked(async () => {
    const app = fastify()
    app.decorateReply('sendEvents', function sendEvents(this: FastifyReply, events: Events) {
      return this.send(Readable.from(dataOf(events), { objectMode: false }))
    })
    const schema = { response: eventStreamResponse(Type.Object({ count: Type.Integer() })) }
    app.get('/app/api/events', { config: { isEventStream: true }, schema }, async (_request, reply) =>
      reply.sendEvents(async function* tell() {
        yield { event: 'told', data: { count: 1 } }
        yield { event: 'told', data: { count: 'two' } }
      }),
    )
    return app
  })
  await expect(app.inject('/app/api/events')).rejects.toBeInstanceOf(Error)
  await app.close()
  expect(expectNoFaults).toThrow('/count must be integer')
})

async function* dataOf(events: Events): AsyncGenerator<string> {
  for await (const { data } of events(new AbortController().signal)) yield JSON.stringify(data)
}

test('ignores the published routes, which have their own tests', async () => {
  expect(await answered({ name: 'x', inner: [], secret: 1 }, '/api/thing')).toEqual({ statusCode: 200, fault: undefined })
})
