import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Clock } from '../../../ports/clock.ts'
import { childEnvironment } from '../child-environment.ts'
import { launchScript } from '../process.ts'
import { startChild } from '../start-child.ts'
import type { JobAnswer } from './do-jobs.ts'

/**
 * The processes of a program that does *jobs* with DuckDB (`do-jobs.ts`). Each does one job at a time and is kept for the next one, because
 * starting it takes longer than most jobs. Its memory is limited, and it gets none of the service's environment. A process ends when it has
 * been idle for `idleMs`, holds much memory, or its job has failed or was aborted.
 */
export interface JobProcesses {
  /** The files of a job are in its folder. */
  run(job: { folder: string }, signal: AbortSignal): Promise<void>
  /** Ends all processes. */
  close(): Promise<void>
}

interface JobProcess {
  run(job: { folder: string }): Promise<JobAnswer>
  kill(): void
  /** What it has written to standard error. */
  readonly ended: Promise<string>
}

export function makeJobProcesses(options: {
  file: string
  processMemoryLimitMb: number
  /** The beginning of the error message if a job fails. */
  failure: string
  idleMs?: number
  clock: Pick<Clock, 'sleep'>
}): JobProcesses {
  const { failure, idleMs = 30_000, clock } = options
  const alive = new Set<JobProcess>()
  const idle = new Map<JobProcess, AbortController>()
  let isClosed = false

  function start(): JobProcess {
    const process = startProcess(options)
    alive.add(process)
    void process.ended.then(() => {
      alive.delete(process)
      takeFromIdle(process)
    })
    return process
  }

  function takeFromIdle(process: JobProcess): void {
    idle.get(process)?.abort()
    idle.delete(process)
  }

  function keep(process: JobProcess): void {
    if (isClosed || !alive.has(process)) return process.kill()
    const inUse = new AbortController()
    idle.set(process, inUse)
    void clock.sleep(idleMs, inUse.signal).then(() => {
      if (inUse.signal.aborted) return
      takeFromIdle(process)
      process.kill()
    })
  }

  /** The most recent one, so that the others are idle for long enough to end. */
  function borrow(): JobProcess {
    const last = [...idle.keys()].at(-1)
    if (!last) return start()
    takeFromIdle(last)
    return last
  }

  return {
    async run(job, signal) {
      signal.throwIfAborted()
      if (isClosed) throw new Error(`${failure}: the service is stopping.`)
      let process: JobProcess | undefined
      const stop = () => process?.kill()
      signal.addEventListener('abort', stop, { once: true })
      try {
        process = borrow()
        const { error, isSpent } = await process.run(job)
        signal.throwIfAborted()
        if (error !== null) throw new Error(error)
        if (isSpent) process.kill()
        else keep(process)
      } catch (cause) {
        stop()
        if (signal.aborted) throw signal.reason
        throw new Error(`${failure}: ${(cause as Error).message}`, { cause })
      } finally {
        signal.removeEventListener('abort', stop)
      }
    },
    async close() {
      isClosed = true
      const ends = [...alive].map(({ ended }) => ended)
      for (const process of alive) process.kill()
      await Promise.all(ends)
    },
  }
}

function startProcess({ file, processMemoryLimitMb }: { file: string; processMemoryLimitMb: number }): JobProcess {
  const limited = ['-c', launchScript, 'sh', String(processMemoryLimitMb * 1024)]
  const command = [process.execPath, '--max-old-space-size=128', file]
  const child = startChild('/bin/sh', [...limited, ...command], { cwd: '/', env: childEnvironment(), stdio: 'pipe' })
  const ended = endOf(child)
  let answer: PromiseWithResolvers<JobAnswer> | undefined
  // If the process has ended, `ended` says why.
  child.stdin!.on('error', () => {})
  void ended.then((errors) => answer?.reject(new Error(errors === '' ? 'its process has ended.' : errors)))
  createInterface({ input: child.stdout! }).on('line', (line) => {
    try {
      answer?.resolve(JSON.parse(line) as JobAnswer)
    } catch (error) {
      answer?.reject(error)
    }
  })
  return {
    ended,
    kill: () => void child.kill('SIGKILL'),
    run(job) {
      child.stdin!.write(`${JSON.stringify(job)}\n`)
      answer = Promise.withResolvers()
      return answer.promise
    },
  }
}

const keptErrorLength = 2000

function endOf(child: ChildProcess): Promise<string> {
  let errors = ''
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    errors = (errors + text).slice(-keptErrorLength)
  })
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(error.message))
    child.once('close', () => resolve(errors))
  })
}
