import { expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { makeSignInThrottle } from './sign-in-throttle.ts'

const minuteMs = 60_000
const wrong = async () => false
const right = async () => true
const fault = () => Promise.reject(new Error('out of memory'))

function start() {
  const clock = manualClock()
  return { clock, throttle: makeSignInThrottle({ clock }) }
}

test('after ten failures of an e-mail even the right password is refused, and others are not', async () => {
  const { throttle } = start()
  for (let count = 0; count < 10; count++) expect(await throttle.attempt('jane@example.com', wrong)).toBe(false)

  await expect(throttle.attempt(' JANE@example.com', right)).rejects.toMatchObject({
    code: 'too_many_requests',
    message: 'Too many failed sign-ins with this e-mail. Try again in 15 minutes.',
  })
  expect(await throttle.attempt('john@example.com', right)).toBe(true)
})

test('the wait ends when the oldest failure is 15 minutes old, and trying meanwhile does not lengthen it', async () => {
  const { clock, throttle } = start()
  await throttle.attempt('jane@example.com', wrong)
  await clock.advance(10 * minuteMs)
  for (let count = 0; count < 9; count++) await throttle.attempt('jane@example.com', wrong)

  await clock.advance(5 * minuteMs - 1)
  await expect(throttle.attempt('jane@example.com', right)).rejects.toThrow('Try again in 1 minute.')
  await clock.advance(1)
  expect(await throttle.attempt('jane@example.com', wrong)).toBe(false)
  await expect(throttle.attempt('jane@example.com', right)).rejects.toThrow('Try again in 10 minutes.')
})

test('a success forgets the failures before it', async () => {
  const { throttle } = start()
  for (let round = 0; round < 3; round++) {
    for (let count = 0; count < 9; count++) await throttle.attempt('jane@example.com', wrong)
    expect(await throttle.attempt('jane@example.com', right)).toBe(true)
  }
})

test('guesses that arrive together are looked at ten times and no more', async () => {
  const { throttle } = start()
  let looks = 0
  let inFlight = 0
  const answers = await Promise.allSettled(
    Array.from({ length: 50 }, () =>
      throttle.attempt('jane@example.com', async () => {
        looks++
        expect(++inFlight).toBe(1)
        await new Promise((resolve) => setImmediate(resolve))
        inFlight--
        return false
      }),
    ),
  )
  expect(looks).toBe(10)
  expect(answers.filter(({ status }) => status === 'rejected')).toHaveLength(40)
})

test('right passwords that arrive together are all let in', async () => {
  const { throttle } = start()
  const answers = await Promise.all(Array.from({ length: 50 }, () => throttle.attempt('jane@example.com', right)))
  expect(answers).toEqual(Array.from({ length: 50 }, () => true))
})

test('after 500 failures of many e-mails every sign-in waits', async () => {
  const { clock, throttle } = start()
  for (let count = 0; count < 500; count++) await throttle.attempt(`person-${count}@example.com`, wrong)
  await expect(throttle.attempt('jane@example.com', right)).rejects.toThrow(
    'Too many failed sign-ins. Try again in 15 minutes.',
  )
  await clock.advance(15 * minuteMs)
  expect(await throttle.attempt('jane@example.com', right)).toBe(true)
})

test('a fault while verifying reaches its caller, counts as no failure and does not hold up the next', async () => {
  const { throttle } = start()
  for (let count = 0; count < 20; count++) {
    await expect(throttle.attempt('jane@example.com', fault)).rejects.toThrow('out of memory')
  }
  expect(await throttle.attempt('jane@example.com', right)).toBe(true)
})
