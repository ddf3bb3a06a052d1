import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { seededRandom } from '../../testing/seeded-random.ts'
import { makeSealer } from './sealing.ts'

const secretKey = Buffer.alloc(32, 7)
const sealer = makeSealer({ secretKey, random: seededRandom('sealing') })
const text = fc.string({ unit: 'grapheme', maxLength: 80 })
const refused = /authenticate data|not a sealed text/
const fixed = { seed: 20_260_105, numRuns: 200 }

test('opens any text in the context it was sealed for', () => {
  fc.assert(
    fc.property(text, text, (secret, context) => {
      expect(sealer.open(sealer.seal(secret, context), context)).toBe(secret)
    }),
    fixed,
  )
})

test('another process with the same key can open it, given the bytes as any kind of byte array', () => {
  const sealed = sealer.seal('whsec_a', 'we_1')
  const other = makeSealer({ secretKey: Uint8Array.from(secretKey), random: seededRandom('another') })
  expect(other.open(Uint8Array.from(sealed), 'we_1')).toBe('whsec_a')
})

test('does not open in another context or with another key', () => {
  const sealed = sealer.seal('whsec_a', 'we_1')
  for (const context of ['we_2', 'we_', '', 'WE_1', 'we_1 ']) expect(() => sealer.open(sealed, context)).toThrow(refused)
  const other = makeSealer({ secretKey: Buffer.alloc(32, 8), random: seededRandom('sealing') })
  expect(() => other.open(sealed, 'we_1')).toThrow(refused)
})

test('does not open if any bit is changed, or if it is truncated or extended', () => {
  const sealed = Buffer.from(sealer.seal('whsec_secret', 'we_1'))
  for (let bit = 0; bit < sealed.length * 8; bit += 1) {
    const changed = Buffer.from(sealed)
    changed[bit >> 3]! ^= 1 << (bit & 7)
    expect(() => sealer.open(changed, 'we_1'), `bit ${bit}`).toThrow(refused)
  }
  for (let length = 0; length < sealed.length; length += 1) {
    expect(() => sealer.open(sealed.subarray(0, length), 'we_1'), `length ${length}`).toThrow(refused)
  }
  expect(() => sealer.open(Buffer.concat([sealed, Buffer.of(0)]), 'we_1')).toThrow(refused)
})

test('the same text sealed twice looks different and reveals nothing', () => {
  const secret = 'whsec_0123456789abcdef'
  const forms = Array.from({ length: 50 }, () => Buffer.from(sealer.seal(secret, 'we_1')))
  expect(new Set(forms.map((form) => form.toString('hex'))).size).toBe(50)
  for (const form of forms) {
    expect(form.includes(secret.slice(6, 14))).toBe(false)
    expect(form.includes('we_1')).toBe(false)
  }
})
