import { afterAll, beforeAll, expect, test } from 'vitest'
import { type OneProcess, startOneProcess, surviveOutage } from '../faults/one-process.ts'

let one: OneProcess

beforeAll(async () => {
  one = await startOneProcess()
})
afterAll(() => one?.close())

test('answers 503 with Retry-After while PostgreSQL is away, and then records the run that finished during the outage', async () => {
  await surviveOutage(one, { how: 'shutdown', awayMs: 1_000 })
  await surviveOutage(one, { how: 'crash', awayMs: 0 })
  expect(one.service.output()).not.toMatch(/unhandled/i)
})
