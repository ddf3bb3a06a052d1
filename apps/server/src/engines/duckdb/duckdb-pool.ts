/**
 * The child processes of one database file.
 *
 * - A process is *lent* for one statement and then returned, unless it ends first. At most `maxProcesses` exist.
 * - A caller that finds all of them lent *waits*. Waiting callers are served in order.
 * - A process that is idle for `spareIdleMs` is closed.
 */
import type { Clock } from '../../ports/clock.ts'
import { EngineError, stoppedBeforeStart } from '../engine.ts'
import type { EngineProcess } from './process.ts'

export interface Pool {
  borrow(signal: AbortSignal): Promise<EngineProcess>
  /** Returns a healthy process. One that has ended leaves the pool automatically. */
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
  /** Processes that were idle too long and are being closed. */
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
    // If its statement was stopped, replace the process at once, so that the next statement need not wait for one to start. A
    // process that died on its own is not replaced, because it might keep dying.
    const wasIdle = closing.delete(process)
    const hasRoom = alive.size + starting.size < options.maxProcesses
    if (!isClosed && !wasIdle && hasRoom && process.wasKilled()) startOne()
  }

  /** Starts a process for each waiting caller, up to the limit. */
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
    // Reuse the most recent one, so that the others can reach their idle timeout.
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
      if (isClosed || signal.aborted) throw stoppedBeforeStart()
      const spare = takeIdle()
      if (spare) return spare
      return await new Promise((resolve, reject) => {
        const leave = () => {
          waiting.splice(waiting.indexOf(waiter), 1)
          reject(stoppedBeforeStart())
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
      for (const waiter of waiting.splice(0)) waiter.reject(stoppedBeforeStart())
      for (const process of alive.keys()) process.kill()
      await Promise.all(starting)
      await Promise.all(alive.values())
    },
  }
}
