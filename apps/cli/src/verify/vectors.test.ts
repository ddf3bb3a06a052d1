import vectors from '@querypost/webhooks/vectors.json' with { type: 'json' }
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { hasFailed } from '../checks.ts'
import { utf8 } from './captured-request.ts'
import { diagnose } from './diagnose.ts'
import { capture, secretA, secretB, sentAt } from '../../testing/captured-requests.ts'

interface Vector {
  name: string
  body?: string
  bodyBase64?: string
  headers: Record<string, string | string[]> | [string, string][]
  secrets: string[]
  now: number
  toleranceSeconds?: number
  expected: { eventId?: string; code?: string }
}

const pairsOf = (headers: Vector['headers']): [string, string][] =>
  Array.isArray(headers)
    ? headers
    : Object.entries(headers).flatMap(([name, value]) => [value].flat().map((one): [string, string] => [name, one]))

test.each((vectors as unknown as { vectors: Vector[] }).vectors)('$name', async (vector) => {
  const body = vector.body === undefined ? Buffer.from(vector.bodyBase64!, 'base64') : utf8(vector.body)
  const { code, event, checks } = await diagnose({
    request: { headers: pairsOf(vector.headers), body: Uint8Array.from(body), notes: [] },
    secrets: vector.secrets,
    now: new Date(vector.now * 1000),
    toleranceSeconds: vector.toleranceSeconds ?? 300,
  })
  expect([code, event?.id]).toEqual([vector.expected.code ?? null, vector.expected.eventId])
  expect(hasFailed(checks)).toBe(code !== null)
})

test('a check fails exactly when the request is rejected, whatever was done to it', async () => {
  const genuine = await capture()
  const names = genuine.headers.map(([name]) => name)
  const changes = fc.record({
    dropped: fc.subarray(names, { maxLength: 2 }),
    doubled: fc.option(fc.constantFrom(...names)),
    value: fc.option(
      fc.tuple(
        fc.constantFrom(...names),
        fc.constantFrom('', '1', 'v1=', `v1=${'0'.repeat(64)}`, 'evt_x', '1772366400'),
      ),
    ),
    tail: fc.constantFrom('', '\n', ' ', 'x'),
    secrets: fc.subarray([secretA, secretB, secretA.slice(0, -1), 'x'], { minLength: 1 }),
    ageSeconds: fc.constantFrom(-301, -300, 0, 300, 301),
  })
  const property = fc.asyncProperty(changes, async ({ dropped, doubled, value, tail, secrets, ageSeconds }) => {
    const headers = genuine.headers
      .filter(([name]) => !dropped.includes(name))
      .flatMap((header) => (header[0] === doubled ? [header, header] : [header]))
      .map(([name, old]): [string, string] => [name, name === value?.[0] ? value[1] : old])
    const { isGenuine, checks } = await diagnose({
      request: { headers, body: utf8(Buffer.from(genuine.body).toString() + tail), notes: [] },
      secrets,
      now: new Date(sentAt.getTime() + ageSeconds * 1000),
      toleranceSeconds: 300,
    })
    expect(hasFailed(checks)).toBe(!isGenuine)
  })
  await fc.assert(property, { seed: 7, numRuns: 60 })
})
