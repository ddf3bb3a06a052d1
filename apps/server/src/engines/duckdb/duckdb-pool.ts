/**
 * The child processes of one database file.
 *
 * - A process is *lent* for one statement and then given back, or it ended while lent. At most `maxProcesses` exist.
 * - Who finds all of them lent *waits*; those who wait are served in the order they came.
 * - A process that nobody asked for during `spareIdleMs` is closed.
 */
import type { Clock } from '../../ports/clock.ts'
import { EngineError, stoppedBeforehand } from '../engine.ts'
import type { EngineProcess } from './process.ts'

export interface Pool {
  borrow(signal: AbortSignal): Promise<EngineProcess>
  /** Only an unharmed process comes back this way; one that ends is forgotten by itself. */
  giveBack(process: EngineProcess): void
  close(): Promise<void>
}

interface Waiter {
  resolve(process: EngineProcess): void
  reject(error: EngineError): void
}

export function processPool(options: {
  start: () => Promise<EngineProcess>
  maxProcesses: number
  spareIdleMs: number
  clock: Clock
}): Pool {
  const alive = new Map<EngineProcess, Promise<unknown>>()
  const idle = new Map<EngineProcess, AbortController>()
  /** Idle too long and on their way out. */
  const closing = new Set<EngineProcess>()
  const waiting: Waiter[] = []
  const starting = new Set<Promise<void>>()
  let isClosed = false

  function startOne(): void {
    const started = options
      .start()
      .then(
        (process) => {
          alive.set(process, process.ended.then(() => forget(process)))
          if (isClosed) process.kill()
          else giveBack(process)
        },
        (cause: unknown) => {
          waiting.shift()?.reject(new EngineError('unreachable', 'The engine process could not be started.', { cause }))
        },
      )
      .finally(() => {
        starting.delete(started)
        startForWaiting()
      })
    starting.add(started)
  }

  function forget(process: EngineProcess): void {
    alive.delete(process)
    idle.get(process)?.abort()
    idle.delete(process)
    startForWaiting()
    // Its statement was stopped: it is replaced at once, so that the next statement need not wait for a process to start. One
    // that died by itself is not: it might die again, for ever.
    const wasIdle = closing.delete(process)
    const hasRoom = alive.size + starting.size < options.maxProcesses
    if (!isClosed && !wasIdle && hasRoom && process.wasKilled()) startOne()
  }

  /** One process for each who waits, as far as there is room. */
  function startForWaiting(): void {
    if (isClosed) return
    const room = options.maxProcesses - alive.size - starting.size
    const missing = Math.min(room, waiting.length - starting.size)
    for (let count = 0; count < missing; count++) startOne()
  }

  function giveBack(process: EngineProcess): void {
    if (!alive.has(process)) return
    const next = waiting.shift()
    if (next) return next.resolve(process)
    const inUse = new AbortController()
    idle.set(process, inUse)
    void options.clock.sleep(options.spareIdleMs, inUse.signal).then(() => {
      if (inUse.signal.aborted) return
      idle.delete(process)
      closing.add(process)
      process.kill()
    })
  }

  function takeIdle(): EngineProcess | undefined {
    // The one used last is the warmest; the others get a chance to grow old.
    const last = [...idle].at(-1)
    if (!last) return undefined
    const [process, inUse] = last
    idle.delete(process)
    inUse.abort()
    return process
  }

  return {
    giveBack,
    async borrow(signal) {
      if (isClosed || signal.aborted) throw stoppedBeforehand()
      const spare = takeIdle()
      if (spare) return spare
      return await new Promise((resolve, reject) => {
        const leave = () => {
          waiting.splice(waiting.indexOf(waiter), 1)
          reject(stoppedBeforehand())
        }
        const waiter: Waiter = {
          resolve(process) {
            signal.removeEventListener('abort', leave)
            resolve(process)
          },
          reject(error) {
            signal.removeEventListener('abort', leave)
            reject(error)
          },
        }
        signal.addEventListener('abort', leave, { once: true })
        waiting.push(waiter)
        startForWaiting()
      })
    },
    async close() {
      isClosed = true
      for (const waiter of waiting.splice(0)) waiter.reject(stoppedBeforehand())
      for (const process of alive.keys()) process.kill()
      await Promise.all(starting)
      await Promise.all(alive.values())
    },
  }
}
