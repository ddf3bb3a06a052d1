import { expect, test } from 'vitest'
import { readMessage } from './embed-messages.ts'

test('reads a new token and a theme', () => {
  expect(readMessage({ type: 'querypost:token', token: 'a.b.c', more: 1 })).toEqual({ type: 'querypost:token', token: 'a.b.c' })
  expect(readMessage({ type: 'querypost:theme', theme: 'dark' })).toEqual({ type: 'querypost:theme', theme: 'dark' })
})

test.each([null, 'querypost:token', { type: 'querypost:token' }, { type: 'querypost:token', token: 1 }, { type: 'querypost:theme', theme: 'red' }, { type: 'other' }])(
  'ignores %j',
  (data) => {
    expect(readMessage(data)).toBeUndefined()
  },
)
