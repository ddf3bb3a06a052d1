import { expect, test } from 'vitest'
import { isFrom, isToken, readFrameMessage, readHostMessage } from './messages.ts'

test.each([
  { type: 'querypost:connected' },
  { type: 'querypost:ready', title: 'Sales' },
  { type: 'querypost:height', height: 1200 },
  { type: 'querypost:parameters', parameters: { country: 'DE', years: [2025, 2026], isPaid: true } },
  { type: 'querypost:token-needed' },
  { type: 'querypost:error', code: 'embed_token_invalid', message: 'No' },
])('reads %j of a frame, and drops other fields', (message) => {
  expect(readFrameMessage({ ...message, more: 1 })).toEqual(message)
  expect(readHostMessage(message)).toBeUndefined()
})

test.each([
  null,
  undefined,
  'querypost:ready',
  [],
  { type: 'ready', title: 'Sales' },
  { type: 'querypost:ready', title: 1 },
  ...[0, -1, 100_001, NaN, Infinity, '100', null].map((height) => ({ type: 'querypost:height', height })),
  ...[null, [], { a: {} }, { a: null }, { a: [[1]] }, 'a'].map((parameters) => ({ type: 'querypost:parameters', parameters })),
  { type: 'querypost:error', code: 1, message: 'No' },
])('ignores %j of a frame', (data) => {
  expect(readFrameMessage(data)).toBeUndefined()
})

test.each([
  { type: 'querypost:connect' },
  { type: 'querypost:token', token: 'a.b_-.c' },
  { type: 'querypost:token-failed' },
  { type: 'querypost:theme', theme: { colorScheme: 'dark' } },
])('reads %j of a host, and drops other fields', (message) => {
  expect(readHostMessage({ ...message, more: 1 })).toEqual(message)
  expect(readFrameMessage(message)).toBeUndefined()
})

test.each([
  { type: 'querypost:token', token: 1 },
  { type: 'querypost:token', token: 'a.b' },
  { type: 'querypost:token', token: 'a.b.<script>' },
  { type: 'querypost:theme', theme: 'dark' },
  { type: 'querypost:theme' },
  { type: '__proto__' },
])('ignores %j of a host', (data) => {
  expect(readHostMessage(data)).toBeUndefined()
})

test('rounds heights up, so that nothing is cut off', () => {
  expect(readFrameMessage({ type: 'querypost:height', height: 100.2 })).toEqual({ type: 'querypost:height', height: 101 })
})

test('a token has three parts and is not too long', () => {
  expect(['a.b.c', `a.${'b'.repeat(8 * 1024)}.c`, 'a.b', 'a..c', undefined].map(isToken)).toEqual([true, false, false, false, false])
})

test('accepts a message only from the expected window and an expected origin', () => {
  const source = {}
  const expected = { source, origins: ['https://a.example'] }
  expect(isFrom({ source, origin: 'https://a.example' }, expected)).toBe(true)
  expect(isFrom({ source: {}, origin: 'https://a.example' }, expected)).toBe(false)
  for (const origin of ['https://a.example.evil.example', 'http://a.example', 'https://a.example:444', 'null', '']) {
    expect(isFrom({ source, origin }, expected)).toBe(false)
  }
  // Before the frame is in the document, it has no window.
  for (const none of [null, undefined]) expect(isFrom({ source: none, origin: 'https://a.example' }, { ...expected, source: none })).toBe(false)
})
