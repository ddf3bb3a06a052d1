import { expect, test } from 'vitest'
import { StoreUnavailable, storeErrorOf } from './store-unavailable.ts'

const withCode = (code: string) => Object.assign(new Error(`failed with ${code}`), { code })

test.for([
  ['a connection that is refused', withCode('ECONNREFUSED')],
  ['a connection that was reset', withCode('ECONNRESET')],
  ['a server that shuts down', withCode('57P01')],
  ['a server that is starting up', withCode('57P03')],
  ['a replica that has not been promoted yet', withCode('25006')],
  ['a full disk', withCode('53100')],
  ['too many connections', withCode('53300')],
  ['a connection lost in the middle of a statement', new Error('Connection terminated unexpectedly')],
  ['several addresses, none of which answers', new AggregateError([withCode('ECONNREFUSED'), withCode('EHOSTUNREACH')])],
] as const)('%s means that the store is not available', ([, error]) => {
  const told = storeErrorOf(error)
  expect(told).toBeInstanceOf(StoreUnavailable)
  expect(told).toMatchObject({ cause: error })
})

test.for([
  ['a unique violation', withCode('23505')],
  ['a syntax error', withCode('42601')],
  ['an error without a code', new Error('something else')],
  ['several addresses of which one has another error', new AggregateError([withCode('ECONNREFUSED'), withCode('23505')])],
  ['something that is no error', 'text'],
] as const)('%s stays what it is', ([, error]) => {
  expect(storeErrorOf(error)).toBe(error)
})
