import { expect, test } from 'vitest'
import { makeTurnQueue } from './turn-queue.ts'

function makeWorld({ turnsMs = 100 } = {}) {
  const frames: (() => void)[] = []
  const drawn: string[] = []
  const clock = { nowMs: 0 }
  const queue = makeTurnQueue({ next: (act) => frames.push(act), nowMs: () => clock.nowMs, turnsMs: () => turnsMs })
  const act = (name: string) => {
    drawn.push(name)
    clock.nowMs += 40
  }
  const request = (name: string, isUrgent = () => false) => queue.request({ act: () => act(name), isUrgent })
  return { frames, drawn, request, frame: () => frames.shift()!() }
}

test('gives one turn per frame to what is not urgent, in the order of requests', () => {
  const { drawn, request, frame, frames } = makeWorld()
  for (const name of ['a', 'b', 'c']) request(name)
  expect([drawn, frames.length]).toEqual([[], 1])
  frame()
  expect(drawn).toEqual(['a'])
  frame()
  frame()
  expect([drawn, frames.length]).toEqual([['a', 'b', 'c'], 0])
})

test('prefers what is urgent when its turn comes', () => {
  const { drawn, request, frame } = makeWorld()
  const urgent = new Set(['c'])
  for (const name of ['a', 'b', 'c', 'd']) request(name, () => urgent.has(name))
  frame()
  urgent.add('d')
  frame()
  frame()
  frame()
  expect(drawn).toEqual(['c', 'd', 'a', 'b'])
})

test('gives urgent turns in one frame until its time is over', () => {
  const { drawn, request, frame, frames } = makeWorld()
  request('later')
  for (const name of ['a', 'b', 'c', 'd', 'e']) request(name, () => true)
  frame()
  expect(drawn).toEqual(['a', 'b', 'c'])
  frame()
  expect(drawn).toEqual(['a', 'b', 'c', 'd', 'e'])
  frame()
  expect([drawn.at(-1), frames.length]).toEqual(['later', 0])
})

test('gives one urgent turn per frame without time for more', () => {
  const { drawn, request, frame } = makeWorld({ turnsMs: 0 })
  for (const name of ['a', 'b']) request(name, () => true)
  frame()
  expect(drawn).toEqual(['a'])
})

test('skips a request that is canceled during the frame', () => {
  const { drawn, request, frame, frames } = makeWorld()
  const cancel = request('a', () => true)
  request('b', () => {
    cancel()
    return true
  })
  frame()
  expect([drawn, frames.length]).toEqual([['b'], 0])
})

test('skips canceled requests', () => {
  const { drawn, request, frame, frames } = makeWorld()
  const cancel = request('a')
  request('b')
  cancel()
  frame()
  expect([drawn, frames.length]).toEqual([['b'], 0])
})

test('starts again after it was idle', () => {
  const { drawn, request, frame } = makeWorld()
  request('a')()
  frame()
  request('b')
  frame()
  expect(drawn).toEqual(['b'])
})
