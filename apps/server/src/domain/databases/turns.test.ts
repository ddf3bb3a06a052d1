import { expect, test } from 'vitest'
import { makeTurns } from './turns.ts'

const never = new AbortController().signal

function work() {
  const began: string[] = []
  const ends = new Map<string, () => void>()
  const doing = (name: string) => () => {
    began.push(name)
    return new Promise<string>((resolve) => void ends.set(name, () => resolve(name)))
  }
  return { began, doing, end: (name: string) => ends.get(name)!() }
}

test('work on one thing comes one after the other, in the order it came', async () => {
  const { began, doing, end } = work()
  const turns = makeTurns({ atOnce: 5 })
  const done = ['a', 'b', 'c'].map((name) => turns.inTurn('file', never, doing(name)))
  await Promise.resolve()
  expect(began).toEqual(['a'])
  end('a')
  await done[0]
  await Promise.resolve()
  expect(began).toEqual(['a', 'b'])
  end('b')
  await done[1]
  await Promise.resolve()
  end('c')
  expect(await Promise.all(done)).toEqual(['a', 'b', 'c'])
})

test('no more than so many at once, and who waits for a thing keeps nobody else waiting', async () => {
  const { began, doing, end } = work()
  const turns = makeTurns({ atOnce: 2 })
  const first = turns.inTurn('x', never, doing('x1'))
  void turns.inTurn('x', never, doing('x2'))
  void turns.inTurn('y', never, doing('y1'))
  void turns.inTurn('z', never, doing('z1'))
  await Promise.resolve()
  expect(began).toEqual(['x1', 'y1'])
  end('x1')
  await first
  await Promise.resolve()
  expect(began).toEqual(['x1', 'y1', 'x2'])
})

test('who leaves is not served, and work that fails makes room', async () => {
  const { began, doing } = work()
  const turns = makeTurns({ atOnce: 1 })
  const leaving = new AbortController()
  const failing = turns.inTurn('x', never, () => Promise.reject(new Error('broken')))
  const left = turns.inTurn('x', leaving.signal, doing('left'))
  leaving.abort(new Error('gone'))
  await expect(left).rejects.toThrow('gone')
  await expect(turns.inTurn('x', leaving.signal, doing('too late'))).rejects.toThrow('gone')
  await expect(failing).rejects.toThrow('broken')
  void turns.inTurn('x', never, doing('next'))
  await Promise.resolve()
  expect(began).toEqual(['next'])
})
