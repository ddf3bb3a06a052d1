import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OneProcess, startOneProcess, surviveOutage } from './one-process.ts'

let one: OneProcess

beforeAll(async () => {
  one = await startOneProcess()
})
afterAll(() => one?.close())

test.for([
  { seconds: 1, how: 'crash' },
  { seconds: 5, how: 'shutdown' },
  { seconds: 30, how: 'crash' },
  { seconds: 60, how: 'shutdown' },
  { seconds: 120, how: 'crash' },
] as const)('one process lives through $seconds seconds without its PostgreSQL ($how)', async ({ seconds, how }) => {
  await surviveOutage(one, { how, awayMs: seconds * 1000 })
  expect(one.service.output()).not.toMatch(/unhandled/i)
})
