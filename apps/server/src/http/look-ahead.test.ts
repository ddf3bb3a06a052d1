import type { FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { lookupsOf, queryAhead, referenceAhead } from './look-ahead.ts'

function recorded() {
  const ahead: string[] = []
  const find = Object.assign(async () => undefined, { ahead: (id: string) => (ahead.push(id), find) })
  return { ahead, services: { findQuery: find, findReference: find } }
}

const requestFor = (params: Record<string, string>) => ({ params }) as unknown as FastifyRequest

test('starts to look for ids of the right form only', () => {
  const { ahead, services } = recorded()
  const queryId = '5f1d7a84-3e07-4c88-9a65-0123456789ab'
  for (const id of [queryId, 'k7Qm2xVbNd', '', `${queryId}'`, 'a\0b']) queryAhead(services)(requestFor({ queryId: id }))
  for (const id of ['k7Qm2xVbNd', queryId, '', 'k7Qm2xVbN\0']) referenceAhead(services)(requestFor({ shortId: id }))
  expect(ahead).toEqual([queryId, 'k7Qm2xVbNd'])
})

test('a request uses the lookup that it started, and the common one for all else', () => {
  const { services } = recorded()
  const started = async () => undefined
  expect(lookupsOf(services, { ahead: { findQuery: started } } as unknown as FastifyRequest)).toEqual({
    findQuery: started,
    findReference: services.findReference,
  })
  expect(lookupsOf(services, { ahead: undefined } as FastifyRequest)).toEqual(services)
})
