import { expect, test } from 'vitest'
import { makeTaskGroup } from './task-group.ts'

/** Waits until everything that can proceed has done so. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

function start(atOnce: number) {
  const group = makeTaskGroup({ atOnce })
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  const begin = (name: string) =>
    group.begin(() => {
      begun.push(name)
      ends.set(name, Promise.withResolvers())
      return ends.get(name)!.promise
    })
  async function end(name: string, error?: Error) {
    if (error) ends.get(name)!.reject(error)
    else ends.get(name)!.resolve()
    await settle()
  }
  return { group, begun, begin, end }
}

test('a producer waits while the maximum number of tasks is running', async () => {
  const { group, begun, begin, end } = start(2)
  await begin('a')
  await begin('b')
  const third = begin('c')
  await settle()
  expect(begun).toEqual(['a', 'b'])
  await end('b')
  await third
  expect(begun).toEqual(['a', 'b', 'c'])
  let isFinished = false
  const finished = group.finish().then(() => (isFinished = true))
  await end('c')
  expect(isFinished).toBe(false)
  await end('a')
  await finished
})

test('after a failure no task starts, and finish waits for running tasks and reports the first failure', async () => {
  const { group, begun, begin, end } = start(2)
  await begin('a')
  await begin('b')
  const third = expect(begin('c')).rejects.toThrow('disk full')
  await end('a', new Error('disk full'))
  await third
  await expect(begin('d')).rejects.toThrow('disk full')
  let outcome: unknown
  const finished = group.finish().catch((error: unknown) => (outcome = error))
  await settle()
  expect(outcome).toBeUndefined()
  await end('b', new Error('and another'))
  await finished
  expect(outcome).toEqual(new Error('disk full'))
  expect(begun).toEqual(['a', 'b'])
})
