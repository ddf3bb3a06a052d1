import { expect, test } from 'vitest'
import { operationUrl, operationMethod } from './operations.ts'

test('builds a URL, and omits undefined query values', () => {
  expect(operationUrl('GET /chats')).toBe('/app/api/chats')
  expect(operationUrl('GET /chats', { query: { limit: 5, cursor: undefined } })).toBe('/app/api/chats?limit=5')
  expect(operationUrl('GET /chats', { query: { limit: 100, cursor: 'a&b=c' } })).toBe('/app/api/chats?limit=100&cursor=a%26b%3Dc')
})

test('encodes path parameters', () => {
  expect(operationUrl('GET /runs/{runId}/result', { params: { runId: 'a/b?c' } })).toBe('/app/api/runs/a%2Fb%3Fc/result')
  const params = { id: 'db_1', schema: 'main', table: 'a {b}' }
  expect(operationUrl('GET /databases/{id}/tables/{schema}/{table}/preview', { params })).toBe(
    '/app/api/databases/db_1/tables/main/a%20%7Bb%7D/preview',
  )
})

test('reads the method from the operation name', () => {
  expect(operationMethod('DELETE /session')).toBe('DELETE')
})
