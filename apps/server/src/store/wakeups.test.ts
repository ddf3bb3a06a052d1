import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { systemClock } from '../ports/clock.ts'
import { silentLog } from '../../testing/silent-log.ts'
import { serverWakeups, type Wakeups } from './wakeups.ts'

/** Simulates two processes on one server. `sender` notifies through a pool whose responses the test controls. */
let listener: Wakeups & { close(): Promise<void> }
let sender: Wakeups & { close(): Promise<void> }
const inFlight: { channels: string[]; succeed(): void; fail(): void }[] = []
const pool = {
  query: (_text: string, [, channels]: [string, string[]]) =>
    new Promise((resolve, reject) => {
      inFlight.push({ channels, succeed: () => resolve({}), fail: () => reject(new Error('away')) })
    }),
}
const settle = () => new Promise((resolve) => setImmediate(resolve))

beforeAll(async () => {
  const options = { url: inject('postgresUrl'), clock: systemClock, log: silentLog }
  sender = await serverWakeups({ ...options, pool: pool as never })
  listener = await serverWakeups({ ...options, pool: pool as never })
})
afterAll(() => Promise.all([sender.close(), listener.close()]))

const channelsInFlight = () => inFlight.map(({ channels }) => channels)

test('while a notification is in flight, all further ones are merged into one', async () => {
  for (let count = 0; count < 100; count++) sender.wake('deliveries')
  sender.wake('runs')
  await settle()
  expect(channelsInFlight()).toEqual([['deliveries', 'runs']])
  for (let count = 0; count < 100; count++) sender.wake('runs')
  sender.wake('chats')
  await settle()
  expect(channelsInFlight()).toEqual([['deliveries', 'runs']])
  inFlight.splice(0)[0]!.succeed()
  await settle()
  expect(channelsInFlight()).toEqual([['runs', 'chats']])
  // After a failed notification, the next one is still sent.
  sender.wake('deliveries')
  inFlight.splice(0)[0]!.fail()
  await settle()
  expect(channelsInFlight()).toEqual([['deliveries']])
  inFlight.splice(0)[0]!.succeed()
  await settle()
  expect(inFlight).toEqual([])
  sender.wake('deliveries')
  await settle()
  expect(inFlight).toHaveLength(1)
  inFlight.splice(0)[0]!.succeed()
})

test('listeners in the same process are woken every time', () => {
  let looks = 0
  const stop = sender.listen('deliveries', () => (looks += 1))
  sender.wake('deliveries')
  sender.wake('deliveries')
  stop()
  sender.wake('deliveries')
  expect(looks).toBe(2)
})

describe('with several processes', () => {
  /** Opens processes that notify each other, and notes for each how its listener is woken by the others. */
  async function openProcesses(listening: { isWorker: boolean }[]) {
    const options = { url: inject('postgresUrl'), clock: systemClock, log: silentLog }
    const pool = new pg.Pool({ connectionString: options.url, max: 1 })
    const processes = await Promise.all(
      listening.map(async ({ isWorker }) => {
        const wakeups = await serverWakeups({ ...options, pool })
        const woken: string[] = []
        wakeups.listen('deliveries', ({ isTaken }) => woken.push(isTaken ? 'taken' : 'open'), { takesWork: isWorker })
        return { wakeups, woken }
      }),
    )
    onTestFinished(async () => {
      await Promise.all(processes.map(({ wakeups }) => wakeups.close()))
      await pool.end()
    })
    return { processes, pool }
  }

  test('the others know whether a worker of the process that creates work looks for it', async () => {
    const { processes } = await openProcesses([{ isWorker: true }, { isWorker: false }])
    const [withWorker, withoutWorker] = processes
    withWorker!.wakeups.wake('deliveries')
    await expect.poll(() => withoutWorker!.woken).toEqual(['taken'])
    withoutWorker!.wakeups.wake('deliveries')
    await expect.poll(() => withWorker!.woken.at(-1)).toBe('open')
  })

  test('a process of an earlier version, which sends only the channel, wakes all at once', async () => {
    const { processes, pool: sending } = await openProcesses([{ isWorker: true }, { isWorker: true }])
    await sending.query(`select pg_notify('querypost_wakeup', 'deliveries')`)
    await expect.poll(() => processes.map(({ woken }) => woken)).toEqual([['open'], ['open']])
  })
})
