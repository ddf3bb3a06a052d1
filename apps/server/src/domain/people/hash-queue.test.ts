import { expect, test } from 'vitest'
import { makeHashQueue } from './hash-queue.ts'

/** Waits until everything that can proceed has done so. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

function start(limits = { waitingMax: 100, waitingMaxOfKey: 10 }) {
  const queue = makeHashQueue(limits)
  const started: string[] = []
  const ends: (() => void)[] = []
  const add = (name: string, key = name[0]!) =>
    queue.run(key, () => {
      started.push(name)
      return new Promise<string>((resolve) => void ends.push(() => resolve(name)))
    })
  /** Ends the running work until there is none left. */
  async function runAll() {
    for (let end = ends.shift(); end; end = ends.shift()) {
      end()
      await settle()
    }
  }
  return { queue, started, add, runAll, endOne: () => ends.shift()!() }
}

test('runs one at a time and returns each result', async () => {
  const { started, add, runAll, endOne } = start()
  const all = Promise.all([add('a1'), add('a2'), add('b1')])
  await settle()
  expect(started).toEqual(['a1'])
  endOne()
  await settle()
  expect(started).toHaveLength(2)
  await runAll()
  expect(await all).toEqual(['a1', 'a2', 'b1'])
})

test('serves keys in turn, so a flood of one key delays another by one hash', async () => {
  const { started, add, runAll } = start()
  const all = Promise.all([add('a1'), add('a2'), add('a3'), add('a4'), add('b1'), add('b2'), add('c1')])
  await settle()
  await runAll()
  await all
  expect(started).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4'])
})

test('rejects work beyond its limits, per key and in total', async () => {
  const { started, add, runAll } = start({ waitingMax: 4, waitingMaxOfKey: 3 })
  const all = Promise.all([add('a1'), add('a2'), add('a3'), add('a4')])
  await expect(add('a5')).rejects.toMatchObject({ code: 'too_many_requests', retryAfterMs: 5000 })
  const other = add('b1')
  await expect(add('c1')).rejects.toMatchObject({ code: 'too_many_requests' })
  await runAll()
  await Promise.all([all, other])
  expect(started).toEqual(['a1', 'b1', 'a2', 'a3', 'a4'])
  const again = add('a6')
  await settle()
  await runAll()
  expect(await again).toBe('a6')
})

test('a failure is passed to its caller and does not block the next', async () => {
  const { queue, add, runAll } = start()
  const failing = queue.run('a', () => Promise.reject(new Error('out of memory')))
  const next = add('a2')
  await expect(failing).rejects.toThrow('out of memory')
  await settle()
  await runAll()
  expect(await next).toBe('a2')
})
