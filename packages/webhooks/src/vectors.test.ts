import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeVectors } from '../scripts/make-vectors.ts'
import { verificationErrorCodes, WebhookVerificationError } from './errors.ts'
import { verify } from './verify.ts'

interface Vector {
  name: string
  secrets: string[]
  headers: Record<string, string | string[]>
  body?: string
  bodyBase64?: string
  now: number
  toleranceSeconds: number
  expected: { ok: true; eventId: string; type: string } | { ok: false; code: string }
}

const text = readFileSync(new URL('../vectors.json', import.meta.url), 'utf8')
const { vectors } = JSON.parse(text) as { vectors: Vector[] }

async function outcome(vector: Vector, body: string | Uint8Array) {
  try {
    const event = await verify({
      body,
      headers: vector.headers,
      secret: vector.secrets,
      now: new Date(vector.now * 1000),
      toleranceSeconds: vector.toleranceSeconds,
    })
    return { ok: true, eventId: event.id, type: event.type }
  } catch (error) {
    if (error instanceof WebhookVerificationError) return { ok: false, code: error.code }
    throw error
  }
}

test.each(vectors)('$name', async (vector) => {
  const { body, bodyBase64, expected } = vector
  const bytes = body === undefined ? Buffer.from(bodyBase64!, 'base64') : Buffer.from(body)
  expect(await outcome(vector, bytes)).toEqual(expected)
  expect(await outcome(vector, body ?? bytes)).toEqual(expected)
})

test('the published file is exactly what the generator writes', () => {
  expect(makeVectors()).toBe(text)
})

test('names are unique, and every code that a request can cause has a vector', () => {
  expect(new Set(vectors.map(({ name }) => name)).size).toBe(vectors.length)
  const covered = vectors.flatMap(({ expected }) => (expected.ok ? [] : [expected.code]))
  const causedByCalls = new Set(['body_not_raw', 'bad_options', 'crypto_unavailable'])
  const expected = verificationErrorCodes.filter((code) => !causedByCalls.has(code))
  expect([...new Set(covered)].sort()).toEqual(expected.sort())
})
