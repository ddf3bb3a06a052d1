import { scryptSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { cheapCost } from '../../../testing/cheap-hash.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { generatePassword, hashPassword, unmatchableHash, verifyPassword } from './passwords.ts'

const random = seededRandom('passwords')
/** For tests of the texts of passwords. */
const cheap = { random, passwordCost: cheapCost }

function partsOf(hash: string) {
  return hash.split('$').map((part, index) => (index < 2 ? part : part.length))
}

test('verifies a password only against its own hash', async () => {
  const hash = await hashPassword({ random }, 'correct horse')
  expect(await verifyPassword('correct horse', hash)).toBe(true)
  expect(await verifyPassword('correct horsf', hash)).toBe(false)
  expect(await verifyPassword('', hash)).toBe(false)
})

test('the same password gets a different salt and hash each time', async () => {
  const [first, second] = await Promise.all([hashPassword(cheap, 'correct horse'), hashPassword(cheap, 'correct horse')])
  expect(first).not.toBe(second)
})

test('a hash contains its parameters, which are used to verify it', async () => {
  expect(await hashPassword({ random }, 'correct horse')).toMatch(/^scrypt\$ln=15,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/)
  expect(await hashPassword(cheap, 'correct horse')).toMatch(/^scrypt\$ln=4,r=8,p=1\$[\w-]{22}\$[\w-]{43}$/)

  const salt = Buffer.from('an older salt')
  const digest = scryptSync('correct horse', salt, 32, { N: 2 ** 10, r: 4, p: 2 })
  const older = `scrypt$ln=10,r=4,p=2$${salt.toString('base64url')}$${digest.toString('base64url')}`
  expect(await verifyPassword('correct horse', older)).toBe(true)
  expect(await verifyPassword('correct horsf', older)).toBe(false)
})

test('composed and decomposed characters are the same password', async () => {
  const hash = await hashPassword(cheap, 'cr\u00e8me br\u00fbl\u00e9e')
  expect(await verifyPassword('cre\u0300me bru\u0302le\u0301e', hash)).toBe(true)
})

test('the unmatchable hash costs as much to verify as a new one', async () => {
  expect(partsOf(unmatchableHash)).toEqual(partsOf(await hashPassword({ random }, 'correct horse')))
})

describe.each(['none', '', 'scrypt$ln=15,r=8,p=1$$', 'bcrypt$x$y', unmatchableHash])('against %j', (stored) => {
  test('no password matches', async () => {
    expect(await verifyPassword('correct horse', stored)).toBe(false)
  })
})

test.each([
  ['11 characters', 'a'.repeat(11), 'password must have at least 12 characters; it has 11.'],
  ['11 that are 22 code units', '🐎'.repeat(11), 'password must have at least 12 characters; it has 11.'],
  ['257 characters', 'a'.repeat(257), 'password must have at most 256 characters; it has 257.'],
  ['half a surrogate pair', `correct horse \ud83d`, 'password must be well-formed Unicode text.'],
])('rejects a new password of %s', async (_, password, message) => {
  await expect(hashPassword({ random }, password)).rejects.toMatchObject({
    code: 'invalid_request',
    message,
    details: [{ path: '/password' }],
  })
})

test.each(['a'.repeat(12), '🐎'.repeat(256), 'with a \0 in it'])('accepts a password at the limits', async (password) => {
  expect(await verifyPassword(password, await hashPassword(cheap, password))).toBe(true)
})

test('a generated password can be read, typed and used', async () => {
  const password = generatePassword(random)
  expect(password).toMatch(/^([2-9a-hjkmnp-z]{5}-){3}[2-9a-hjkmnp-z]{5}$/)
  expect(generatePassword(random)).not.toBe(password)
  expect(await verifyPassword(password, await hashPassword(cheap, password))).toBe(true)
})
