import { expect, test } from 'vitest'
import { makeTurnQueue } from './turn-queue.ts'

function makeWorld() {
  const frames: (() => void)[] = []
  const drawn: string[] = []
  const queue = makeTurnQueue((act) => frames.push(act))
  const request = (name: string, isUrgent = () => false) => queue.request({ act: () => drawn.push(name), isUrgent })
  return { frames, drawn, request, frame: () => frames.shift()!() }
}

test('gives one turn per frame, in the order of requests', () => {
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
