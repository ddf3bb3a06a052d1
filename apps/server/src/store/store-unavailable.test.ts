import { expect, test } from 'vitest'
import { StoreUnavailable, storeErrorOf } from './store-unavailable.ts'

const withCode = (code: string) => Object.assign(new Error(`failed with ${code}`), { code })

test.for([
  ['a refused connection', withCode('ECONNREFUSED')],
  ['a reset connection', withCode('ECONNRESET')],
  ['a server that is shutting down', withCode('57P01')],
  ['a server that is starting up', withCode('57P03')],
  ['a replica that has not been promoted yet', withCode('25006')],
  ['a full disk', withCode('53100')],
  ['too many connections', withCode('53300')],
  ['a connection lost in the middle of a statement', new Error('Connection terminated unexpectedly')],
  ['several addresses, none of which answers', new AggregateError([withCode('ECONNREFUSED'), withCode('EHOSTUNREACH')])],
] as const)('%s counts as an unavailable store', ([, error]) => {
  const storeError = storeErrorOf(error)
  expect(storeError).toBeInstanceOf(StoreUnavailable)
  expect(storeError).toMatchObject({ cause: error })
})

test.for([
  ['a unique violation', withCode('23505')],
  ['a syntax error', withCode('42601')],
  ['an error without a code', new Error('something else')],
  ['several addresses, one with another error', new AggregateError([withCode('ECONNREFUSED'), withCode('23505')])],
  ['something that is not an error', 'text'],
] as const)('%s is passed on unchanged', ([, error]) => {
  expect(storeErrorOf(error)).toBe(error)
})
