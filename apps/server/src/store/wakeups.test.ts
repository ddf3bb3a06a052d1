import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { systemClock } from '../ports/clock.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { serverWakeups, type Wakeups } from './wakeups.ts'

/** Two processes on one server, as far as wake-ups go. `sender` notifies through a pool that the test answers by hand. */
let listener: Wakeups & { close(): Promise<void> }
let sender: Wakeups & { close(): Promise<void> }
const underWay: { channel: string; succeed(): void; fail(): void }[] = []
const pool = {
  query: (_text: string, [, channel]: string[]) =>
    new Promise((resolve, reject) => {
      underWay.push({ channel: channel!, succeed: () => resolve({}), fail: () => reject(new Error('away')) })
    }),
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

beforeAll(async () => {
  const options = { url: inject('postgresUrl'), clock: systemClock, log: silentLog }
  sender = await serverWakeups({ ...options, pool: pool as never })
  listener = await serverWakeups({ ...options, pool: pool as never })
})
afterAll(() => Promise.all([sender.close(), listener.close()]))

test('while one notification is on its way, one more stands for all that follow', async () => {
  for (let count = 0; count < 100; count++) sender.wake('deliveries')
  sender.wake('runs')
  expect(underWay.map(({ channel }) => channel)).toEqual(['deliveries', 'runs'])
  for (const { succeed } of underWay.splice(0)) succeed()
  await settle()
  expect(underWay.map(({ channel }) => channel)).toEqual(['deliveries'])
  // One that fails is not the last: what came after it is still sent.
  sender.wake('deliveries')
  underWay.splice(0)[0]!.fail()
  await settle()
  expect(underWay.map(({ channel }) => channel)).toEqual(['deliveries'])
  underWay.splice(0)[0]!.succeed()
  await settle()
  expect(underWay).toEqual([])
  sender.wake('deliveries')
  expect(underWay).toHaveLength(1)
  underWay.splice(0)[0]!.succeed()
})

test('whoever listens in the same process is woken every time', () => {
  let looks = 0
  const stop = sender.listen('deliveries', () => (looks += 1))
  sender.wake('deliveries')
  sender.wake('deliveries')
  stop()
  sender.wake('deliveries')
  expect(looks).toBe(2)
})
