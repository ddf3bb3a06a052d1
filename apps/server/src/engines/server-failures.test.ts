import { expect, test } from 'vitest'
import { networkFailure } from './server-failures.ts'

test('errors of the network are explained, and nothing else is', () => {
  expect(networkFailure(Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }))).toMatch(/\.$/)
  expect(networkFailure(new Error('something else'))).toBeUndefined()
  // The server closed the connection.
  expect(networkFailure(undefined)).toBeUndefined()
})
