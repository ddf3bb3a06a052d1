import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeKeyedSemaphore, makeSemaphore, type Release, SemaphoreFull } from './semaphore.ts'

/** Waits until everything that can proceed has done so. */
const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('makeSemaphore', () => {
  /** Callers are numbered in the order they ask; a step picks one of those that hold or wait by its place among them. */
  const step = fc.record({
    kind: fc.constantFrom('ask', 'ask', 'ask', 'finish', 'throw', 'abort', 'finish and abort next'),
    place: fc.nat(9),
  })

  test('never exceeds its permits, serves in order and loses no permit, whatever callers do', async () => {
    const permitCounts = fc.integer({ min: 1, max: 4 })
    const queueBounds = fc.constantFrom(0, 1, 3, Infinity)
    await fc.assert(
      fc.asyncProperty(permitCounts, queueBounds, fc.array(step, { maxLength: 40 }), async (permits, waitingMax, steps) => {
        const semaphore = makeSemaphore({ permits, waitingMax })
        /** The expected state. */
        let running: number[] = []
        let waiting: number[] = []
        const expected = new Map<number, unknown>()
        const serve = () => {
          while (running.length < permits && waiting.length > 0) running.push(waiting.shift()!)
        }
        /** The actual state. */
        const started = new Set<number>()
        const ends = new Map<number, { finish(): void; fail(): void; abort(): void }>()
        const outcomes = new Map<number, unknown>()
        let callers = 0

        function ask() {
          const caller = callers++
          const { promise, resolve, reject } = Promise.withResolvers<void>()
          const leaving = new AbortController()
          const work = () => {
            started.add(caller)
            return promise.finally(() => started.delete(caller))
          }
          ends.set(caller, {
            finish: resolve,
            fail: () => reject(new Error(`failed ${caller}`)),
            abort: () => leaving.abort(new Error(`left ${caller}`)),
          })
          semaphore.run(work, leaving.signal).then(
            () => outcomes.set(caller, 'finished'),
            (error: unknown) => outcomes.set(caller, error),
          )
          if (running.length < permits) running.push(caller)
          else if (waiting.length < waitingMax) waiting.push(caller)
          else expected.set(caller, new SemaphoreFull())
        }

        function leave(caller: number) {
          ends.get(caller)!.abort()
          waiting = waiting.filter((one) => one !== caller)
          expected.set(caller, new Error(`left ${caller}`))
        }

        function end(caller: number, way: 'finish' | 'fail') {
          ends.get(caller)![way]()
          running = running.filter((one) => one !== caller)
          expected.set(caller, way === 'finish' ? 'finished' : new Error(`failed ${caller}`))
        }

        for (const each of steps) {
          const others = each.kind === 'abort' ? waiting : running
          const caller = others[each.place % others.length]
          if (each.kind === 'ask') ask()
          else if (caller === undefined) continue
          else if (each.kind === 'abort') leave(caller)
          else end(caller, each.kind === 'throw' ? 'fail' : 'finish')
          if (each.kind === 'finish and abort next' && waiting.length > 0) {
            // The permit may be on its way to the next caller when that one leaves: it then goes to the one after it.
            await Promise.resolve()
            leave(waiting[0]!)
          }
          serve()
          await settle()
          expect(started).toEqual(new Set(running))
          expect(outcomes).toEqual(expected)
        }

        // Everyone left ends, and then all permits are available again.
        while (running.length > 0) {
          for (const caller of running.splice(0)) ends.get(caller)!.finish()
          serve()
          await settle()
        }
        for (let count = 0; count < permits; count++) ask()
        await settle()
        expect(started.size).toBe(permits)
      }),
      { seed: 1, numRuns: 300 },
    )
  })

  test('releasing a permit twice has no effect', async () => {
    const semaphore = makeSemaphore({ permits: 1 })
    const release = await semaphore.acquire()
    release()
    release()
    await semaphore.acquire()
    let isGranted = false
    void semaphore.acquire().then(() => (isGranted = true))
    await settle()
    expect(isGranted).toBe(false)
  })

  test('rejects a signal that has already aborted, even if there is a permit', async () => {
    const semaphore = makeSemaphore({ permits: 1 })
    await expect(semaphore.acquire(AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
    await semaphore.acquire()
  })

  test('does not start work whose signal aborts between its permit and its start', async () => {
    const semaphore = makeSemaphore({ permits: 1 })
    const release = await semaphore.acquire()
    const leaving = new AbortController()
    let hasBegun = false
    const left = semaphore.run(async () => void (hasBegun = true), leaving.signal)
    release()
    leaving.abort(new Error('gone'))
    await expect(left).rejects.toThrow('gone')
    expect(hasBegun).toBe(false)
    await semaphore.acquire()
  })

  test('closing rejects current and later waiters, and leaves running work alone', async () => {
    const semaphore = makeSemaphore({ permits: 1 })
    const { promise, resolve } = Promise.withResolvers<string>()
    const running = semaphore.run(() => promise)
    const waiting = [semaphore.acquire(), semaphore.acquire(new AbortController().signal)]
    semaphore.close(new Error('closed'))
    for (const each of waiting) await expect(each).rejects.toThrow('closed')
    await expect(semaphore.acquire()).rejects.toThrow('closed')
    resolve('done')
    expect(await running).toBe('done')
  })
})

describe('makeKeyedSemaphore', () => {
  function start(options: Parameters<typeof makeKeyedSemaphore>[0]) {
    const semaphore = makeKeyedSemaphore(options)
    const began: string[] = []
    const ends = new Map<string, Release>()
    /** The key is the name's first character. */
    const run = (name: string, signal?: AbortSignal) =>
      semaphore.run(
        name[0]!,
        () => {
          began.push(name)
          return new Promise<string>((resolve) => void ends.set(name, () => resolve(name)))
        },
        signal,
      )
    async function end(name: string) {
      ends.get(name)!()
      await settle()
    }
    return { semaphore, began, run, end }
  }

  test('runs the work of one key one at a time, in order', async () => {
    const { began, run, end } = start({ permits: 5 })
    const all = Promise.all(['a1', 'a2', 'a3'].map((name) => run(name)))
    await settle()
    expect(began).toEqual(['a1'])
    await end('a1')
    expect(began).toEqual(['a1', 'a2'])
    await end('a2')
    await end('a3')
    expect(await all).toEqual(['a1', 'a2', 'a3'])
  })

  test('a busy key takes no permits from others, and keys take turns', async () => {
    const { began, run, end } = start({ permits: 2 })
    for (const name of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) void run(name)
    await settle()
    expect(began).toEqual(['a1', 'b1'])
    await end('a1')
    expect(began.slice(2)).toEqual(['c1'])
    await end('b1')
    expect(began.slice(3)).toEqual(['a2'])
    await end('a2')
    await end('c1')
    expect(began.slice(4)).toEqual(['a3', 'c2'])
  })

  test('rejects work beyond its limits, per key and in total', async () => {
    const { began, run, end } = start({ permits: 1, waitingMax: 4, waitingMaxPerKey: 3 })
    const all = Promise.all(['a1', 'a2', 'a3', 'a4'].map((name) => run(name)))
    await expect(run('a5')).rejects.toThrow(SemaphoreFull)
    const other = run('b1')
    await expect(run('c1')).rejects.toThrow(SemaphoreFull)
    for (const name of ['a1', 'b1', 'a2', 'a3', 'a4']) await end(name)
    await Promise.all([all, other])
    expect(began).toEqual(['a1', 'b1', 'a2', 'a3', 'a4'])
    void run('a6')
    await settle()
    expect(began.at(-1)).toBe('a6')
  })

  test('a caller that leaves is not served, and work that throws makes room', async () => {
    const { semaphore, began, run } = start({ permits: 1 })
    const leaving = new AbortController()
    const failing = semaphore.run('a', () => Promise.reject(new Error('broken')))
    const left = [run('a1', leaving.signal), run('b1', leaving.signal)]
    leaving.abort(new Error('gone'))
    for (const each of left) await expect(each).rejects.toThrow('gone')
    await expect(run('a2', leaving.signal)).rejects.toThrow('gone')
    await expect(failing).rejects.toThrow('broken')
    void run('a3')
    await settle()
    expect(began).toEqual(['a3'])
  })
})
