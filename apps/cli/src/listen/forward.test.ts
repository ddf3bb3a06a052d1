import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type ManualClock, manualClock } from '@querypost/server/testing'
import { expect, test } from 'vitest'
import { deadlineMs, forward } from './forward.ts'
import { describeNoResponse } from './describe-failure.ts'

const event = { headers: { 'content-type': 'application/json' }, body: '{}' }

/** A clock that skips the waits between attempts but keeps deadlines. */
function clockWithoutWaits(): { clock: ManualClock; waitsMs: number[] } {
  const clock = manualClock()
  const waitsMs: number[] = []
  const sleep: ManualClock['sleep'] = async (ms, signal) => {
    if (ms === deadlineMs) return clock.sleep(ms, signal)
    waitsMs.push(ms)
  }
  return { clock: { ...clock, sleep }, waitsMs }
}

async function answering(statuses: number[]) {
  const server = createServer((_request, response) => response.writeHead(statuses.shift()!).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  return { target: { url, headers: {} }, close: () => server.close() }
}

test('retries a failed forward with growing waits until it succeeds', async () => {
  const { target, close } = await answering([500, 503, 204])
  const { clock, waitsMs } = clockWithoutWaits()
  const { signal } = new AbortController()
  const forwarded = await forward({ clock, signal }, target, event, { retries: 7 })
  expect(forwarded).toMatchObject({ status: 204, failure: null, attempts: 3 })
  expect(waitsMs).toEqual([1000, 2000])
  close()
})

test('stops after the given number of retries', async () => {
  const { target, close } = await answering(Array<number>(8).fill(500))
  const { clock, waitsMs } = clockWithoutWaits()
  const { signal } = new AbortController()
  const forwarded = await forward({ clock, signal }, target, event, { retries: 7 })
  expect(forwarded).toMatchObject({ status: 500, failure: 'it answered 500', attempts: 8 })
  expect(waitsMs).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  close()
})

test('an interrupt ends the retries without an outcome', async () => {
  const { target, close } = await answering([500])
  const { clock } = clockWithoutWaits()
  const interruption = new AbortController()
  const { signal } = interruption
  const sleep: ManualClock['sleep'] = async (ms, ending) => {
    if (ms === deadlineMs) return clock.sleep(ms, ending)
    interruption.abort()
  }
  expect(await forward({ clock: { ...clock, sleep }, signal }, target, event, { retries: 7 })).toBeUndefined()
  close()
})

test.each([
  ['ENOTFOUND', 'the host name hooks.test can’t be resolved'],
  ['EPROTO', 'hooks.test:443 does not use TLS. Forward to http:// instead'],
  [
    'DEPTH_ZERO_SELF_SIGNED_CERT',
    'the certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). To trust it, set NODE_EXTRA_CA_CERTS=<file>',
  ],
  ['ETIMEDOUT', 'connection failed: what happened (ETIMEDOUT)'],
])('describes %s', (code, words) => {
  const error = Object.assign(new Error('what \u001bhappened'), { code })
  expect(describeNoResponse(error, new URL('https://hooks.test/hook'))).toBe(words)
})
