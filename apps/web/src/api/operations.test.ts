import { expect, test } from 'vitest'
import { addressOf, methodOf } from './operations.ts'

test('an address names what was given, and leaves out what is undefined', () => {
  expect(addressOf('GET /chats')).toBe('/app/api/chats')
  expect(addressOf('GET /chats', { query: { limit: 5, cursor: undefined } })).toBe('/app/api/chats?limit=5')
  expect(addressOf('GET /chats', { query: { limit: 100, cursor: 'a&b=c' } })).toBe('/app/api/chats?limit=100&cursor=a%26b%3Dc')
})

test('whatever an id holds, it stays one piece of the path', () => {
  expect(addressOf('GET /runs/{runId}/result', { params: { runId: 'a/b?c' } })).toBe('/app/api/runs/a%2Fb%3Fc/result')
  const params = { id: 'db_1', schema: 'main', table: 'a {b}' }
  expect(addressOf('GET /databases/{id}/tables/{schema}/{table}/preview', { params })).toBe(
    '/app/api/databases/db_1/tables/main/a%20%7Bb%7D/preview',
  )
})

test('the method comes before the path', () => {
  expect(methodOf('DELETE /session')).toBe('DELETE')
})
