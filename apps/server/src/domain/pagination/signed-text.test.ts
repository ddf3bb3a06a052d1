import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { makeTextSigner } from './signed-text.ts'

const secretKey = Buffer.alloc(32, 7)
const signer = makeTextSigner({ secretKey, purpose: 'one' })

test('decodes what it encoded, with URL-safe characters', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = signer.encode(value)
      expect(text).toMatch(/^[\w-]+$/)
      expect(signer.decode(text)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
    { seed: 20_260_105, numRuns: 100 },
  )
})

test('rejects everything else: another purpose or key, modified, truncated or re-encoded text', () => {
  const text = signer.encode(['we_1', 5])
  expect(makeTextSigner({ secretKey, purpose: 'two' }).decode(text)).toBeUndefined()
  expect(makeTextSigner({ secretKey: Buffer.alloc(32, 8), purpose: 'one' }).decode(text)).toBeUndefined()
  for (let at = 0; at < text.length; at += 1) {
    const changed = text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
    expect(signer.decode(changed), changed).toBeUndefined()
    expect(signer.decode(text.slice(0, at))).toBeUndefined()
  }
  for (const other of [`${text}=`, ` ${text}`, `${text}A`, '']) expect(signer.decode(other)).toBeUndefined()
})
