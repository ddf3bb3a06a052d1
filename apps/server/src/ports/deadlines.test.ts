import { expect, test } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { makeDeadlines } from './deadlines.ts'

function start() {
  const clock = manualClock()
  const deadlines = makeDeadlines({ clock, afterMs: 1000 })
  const expired: string[] = []
  return { clock, expired, begin: (name: string) => deadlines.begin(() => expired.push(name)) }
}

test('each expires after its own time, with one timer for all', async () => {
  const { clock, expired, begin } = start()
  begin('a')
  await clock.advance(400)
  begin('b')
  begin('c')
  expect(clock.sleepers()).toBe(1)
  await clock.advance(599)
  expect(expired).toEqual([])
  await clock.advance(1)
  expect(expired).toEqual(['a'])
  await clock.advance(400)
  expect(expired).toEqual(['a', 'b', 'c'])
  expect(clock.sleepers()).toBe(0)
})

test('one that has ended does not expire, and does not delay the others', async () => {
  const { clock, expired, begin } = start()
  const end = begin('a')
  await clock.advance(100)
  begin('b')
  end()
  await clock.advance(1000)
  expect(expired).toEqual(['b'])
})

test('no timer runs when all have ended, and the next one starts again', async () => {
  const { clock, expired, begin } = start()
  for (const end of [begin('a'), begin('b')]) end()
  expect(clock.sleepers()).toBe(0)
  begin('c')
  await clock.advance(999)
  expect(expired).toEqual([])
  await clock.advance(1)
  expect(expired).toEqual(['c'])
})

test('a deadline that begins at the moment the last one ends is watched', async () => {
  const { clock, expired, begin } = start()
  begin('a')()
  begin('b')
  begin('c')()
  await clock.advance(1000)
  expect(expired).toEqual(['b'])
})

test('a time jump expires all that are due', async () => {
  const { clock, expired, begin } = start()
  begin('a')
  await clock.advance(10)
  begin('b')
  clock.leap(5000)
  await clock.advance(0)
  await new Promise((resolve) => setImmediate(resolve))
  expect(expired).toEqual(['a', 'b'])
  expect(clock.sleepers()).toBe(0)
})

test('one that expires may end another or begin one', async () => {
  const clock = manualClock()
  const deadlines = makeDeadlines({ clock, afterMs: 1000 })
  const expired: string[] = []
  let endSecond = () => {}
  deadlines.begin(() => {
    expired.push('first')
    endSecond()
    deadlines.begin(() => expired.push('third'))
  })
  endSecond = deadlines.begin(() => expired.push('second'))
  await clock.advance(2000)
  expect(expired).toEqual(['first', 'third'])
})
