import { describe, expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { makeTextSigner } from '../pagination/signed-text.ts'
import { makeKnownDevices, passwordStamp } from './known-devices.ts'

const dayMs = 24 * 3600_000
const jane = { id: 'user_jane', passwordHash: 'hash of jane' }
const john = { id: 'user_john', passwordHash: 'hash of john' }
const secretKey = Buffer.alloc(32, 7)

function start() {
  const clock = manualClock()
  const devices = makeKnownDevices({ secretKey, clock, random: seededRandom('devices') })
  const remember = (user: { id: string; passwordHash: string | null }, cookie?: string) =>
    devices.remember(cookie, { userId: user.id, passwordStamp: passwordStamp(user.passwordHash) }).value
  return { clock, devices, remember }
}

test('recognizes a device for its account, and keeps its id when it signs in again', () => {
  const { devices, remember } = start()
  const cookie = remember(jane)
  const id = devices.recognize(cookie, jane)
  expect(id).toMatch(/^[\w-]{22}$/)
  expect(devices.recognize(remember(jane, cookie), jane)).toBe(id)
  expect(devices.recognize(remember(jane), jane)).not.toBe(id)
})

test('people without a password have known devices too', () => {
  const { devices, remember } = start()
  const person = { ...jane, passwordHash: null }
  expect(devices.recognize(remember(person), person)).toBeDefined()
  expect(devices.recognize(remember(person), jane)).toBeUndefined()
})

describe('ignores a cookie', () => {
  const forged = makeTextSigner({ secretKey: Buffer.alloc(32, 8), purpose: 'querypost device cookie v1' })
  const ofOtherUse = makeTextSigner({ secretKey, purpose: 'querypost list cursor v1' })
  const entry = { userId: jane.id, deviceId: 'd', passwordStamp: passwordStamp(jane.passwordHash), issuedAtMs: 2e12 }
  test.each([
    ['missing', undefined],
    ['empty', ''],
    ['nonsense', 'nonsense.%00.....'],
    ['signed with another key', forged.encode(entry)],
    ['signed for another use', ofOtherUse.encode(entry)],
    ['unsigned', Buffer.from(JSON.stringify(entry)).toString('base64url')],
  ])('that is %s', (_, cookie) => expect(start().devices.recognize(cookie, jane)).toBeUndefined())

  test('that was modified', () => {
    const { devices, remember } = start()
    const cookie = remember(jane)
    for (const at of [0, 30, cookie.length - 1]) {
      const changed = `${cookie.slice(0, at)}${cookie[at] === 'A' ? 'B' : 'A'}${cookie.slice(at + 1)}`
      expect(devices.recognize(changed, jane)).toBeUndefined()
    }
  })

  test('for another account, or an e-mail without an account', () => {
    const { devices, remember } = start()
    expect(devices.recognize(remember(john), jane)).toBeUndefined()
    expect(devices.recognize(remember(john), undefined)).toBeUndefined()
  })

  test('from before the password was changed', () => {
    const { devices, remember } = start()
    const cookie = remember(jane)
    const changed = { ...jane, passwordHash: 'another hash' }
    expect(devices.recognize(cookie, changed)).toBeUndefined()
    expect(devices.recognize(remember(changed, cookie), changed)).toBeDefined()
  })

  test('a year after the last sign-in', () => {
    const { clock, devices, remember } = start()
    const cookie = remember(jane)
    clock.leap(365 * dayMs - 1)
    expect(devices.recognize(cookie, jane)).toBeDefined()
    const renewed = remember(jane, cookie)
    clock.leap(1)
    expect(devices.recognize(cookie, jane)).toBeUndefined()
    expect(devices.recognize(renewed, jane)).toBeDefined()
  })
})

test('remembers the last four people who share a browser', () => {
  const { devices, remember } = start()
  const people = Array.from({ length: 5 }, (_, number) => ({ id: `user_${number}`, passwordHash: `hash ${number}` }))
  let cookie: string | undefined
  for (const person of people) cookie = remember(person, cookie)
  cookie = remember(people[3]!, cookie)
  expect(people.map((person) => devices.recognize(cookie, person) !== undefined)).toEqual([false, true, true, true, true])
  expect(cookie.length).toBeLessThan(1200)
})

test('the cookie expires with its newest entry', () => {
  const { clock, devices } = start()
  const { expiresAt } = devices.remember(undefined, { userId: jane.id, passwordStamp: 'stamp' })
  expect(expiresAt).toEqual(new Date(clock.now().getTime() + 365 * dayMs))
})
