import { describe, expect, test } from 'vitest'
import { base32, matchingStep, stepAt, totpCode, totpUri } from './totp.ts'

/** The key of the test vectors in RFC 6238, appendix B. */
const key = Buffer.from('12345678901234567890')

describe('totpCode', () => {
  // The RFC prints eight digits; six-digit codes are the last six of them.
  test.each([
    [59, '94287082'],
    [1_111_111_109, '07081804'],
    [1_111_111_111, '14050471'],
    [1_234_567_890, '89005924'],
    [2_000_000_000, '69279037'],
    [20_000_000_000, '65353130'],
  ])('gives the code of RFC 6238 at %i seconds', (seconds, code) => {
    expect(totpCode(key, stepAt(new Date(seconds * 1000)))).toBe(code.slice(2))
  })
})

describe('matchingStep', () => {
  const now = new Date(1_234_567_890_000)
  const current = stepAt(now)
  const match = (step: number, lastUsedStep = 0) => matchingStep({ code: totpCode(key, step), now }, { key, lastUsedStep })

  test('accepts the code of this interval, the one before and the one after', () => {
    expect([-2, -1, 0, 1, 2].map((offset) => match(current + offset))).toEqual([undefined, current - 1, current, current + 1, undefined])
  })

  test('rejects a used code and those before it', () => {
    expect([-1, 0, 1].map((offset) => match(current + offset, current))).toEqual([undefined, undefined, current + 1])
  })

  test.each(['', '00592', '0059245', '００５９２４', '005924 ', 'abcdef'])('rejects %j', (code) => {
    expect(matchingStep({ code, now }, { key, lastUsedStep: 0 })).toBeUndefined()
  })
})

test.each([
  ['', ''],
  ['f', 'MY'],
  ['fo', 'MZXQ'],
  ['foo', 'MZXW6'],
  ['foob', 'MZXW6YQ'],
  ['fooba', 'MZXW6YTB'],
  ['foobar', 'MZXW6YTBOI'],
])('base32 of %j, as in RFC 4648', (text, encoded) => expect(base32(Buffer.from(text))).toBe(encoded))

test('names the service and the account in the URI', () => {
  expect(totpUri({ key, issuer: 'Querypost', account: 'a+b@shop.test' })).toBe(
    'otpauth://totp/Querypost:a%2Bb%40shop.test?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Querypost',
  )
})
