import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isAlive } from '../../../../testing/is-alive.ts'
import type { TestJob } from '../../../../testing/engines/job-program.ts'
import { type ManualClock, manualClock } from '../../../../testing/manual-clock.ts'
import { type JobProcesses, makeJobProcesses } from './job-processes.ts'

const file = fileURLToPath(new URL('../../../../testing/engines/job-program.ts', import.meta.url))
const never = new AbortController().signal

let folder: string
let clock: ManualClock
let processes: JobProcesses
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'jobs-'))
  clock = manualClock()
  processes = makeJobProcesses({ file, processMemoryLimitMb: 2048, failure: 'The job could not be done', idleMs: 1000, clock })
})
afterEach(async () => {
  await processes.close()
  await rm(folder, { recursive: true, force: true })
})

let jobCount = 0

/** Does a job in a folder of its own and returns the id of its process. */
async function processOf(act: TestJob['act'], signal = never): Promise<number> {
  const own = await newFolder()
  await processes.run(jobOf(own, act), signal)
  return pidIn(own)
}

const newFolder = () => mkdtemp(path.join(folder, `${++jobCount}-`))
const jobOf = (own: string, act: TestJob['act']): TestJob => ({ folder: own, act })
const pidIn = async (own: string) => Number(await readFile(path.join(own, 'pid'), 'utf8'))

async function untilStarted(own: string): Promise<number> {
  while (!existsSync(path.join(own, 'pid'))) await new Promise((resolve) => setImmediate(resolve))
  return pidIn(own)
}

async function untilGone(pid: number): Promise<void> {
  while (isAlive(pid)) await new Promise((resolve) => setImmediate(resolve))
}

test('does one job after the other in the same process', async () => {
  const first = await processOf('succeed')
  expect(await processOf('succeed')).toBe(first)
})

test('does jobs at the same time in processes of their own', async () => {
  const [one, other] = await Promise.all([processOf('succeed'), processOf('succeed')])
  expect(other).not.toBe(one)
})

test('ends a process that has been idle for a while', async () => {
  const pid = await processOf('succeed')
  await clock.advance(999)
  expect(isAlive(pid)).toBe(true)
  await clock.advance(1)
  await untilGone(pid)
  expect(await processOf('succeed')).not.toBe(pid)
})

test('waits for the whole time again after each job', async () => {
  const pid = await processOf('succeed')
  await clock.advance(600)
  await processOf('succeed')
  await clock.advance(600)
  expect(await processOf('succeed')).toBe(pid)
})

test('reports why a job has failed, and does the next one in a new process', async () => {
  const pid = await processOf('succeed')
  await expect(processOf('fail')).rejects.toThrow('The job could not be done: Error: The job has failed.')
  await untilGone(pid)
  expect(await processOf('succeed')).not.toBe(pid)
})

test('reports what a process wrote before it died', async () => {
  await expect(processOf('die')).rejects.toThrow('The job could not be done: Out of memory.')
  await processOf('succeed')
})

test('starts a new process if an idle one has died', async () => {
  const pid = await processOf('succeed')
  process.kill(pid, 'SIGKILL')
  await untilGone(pid)
  // It is known to have ended once its pipes are closed.
  await expect.poll(() => clock.sleepers()).toBe(0)
  expect(await processOf('succeed')).not.toBe(pid)
})

test('replaces a process that holds much memory', async () => {
  const pid = await processOf('grow')
  await untilGone(pid)
  expect(await processOf('succeed')).not.toBe(pid)
})

test('kills the process of an aborted job', async () => {
  const gone = new AbortController()
  const own = await newFolder()
  const running = processes.run(jobOf(own, 'hang'), gone.signal)
  const pid = await untilStarted(own)
  gone.abort(new Error('gone'))
  await expect(running).rejects.toThrow('gone')
  await untilGone(pid)
})

test('starts nothing for a job that was aborted before', async () => {
  const own = await newFolder()
  await expect(processes.run(jobOf(own, 'succeed'), AbortSignal.abort(new Error('gone')))).rejects.toThrow('gone')
  expect(existsSync(path.join(own, 'pid'))).toBe(false)
})

test('ends idle and running processes when closed, and does no more jobs', async () => {
  const own = await newFolder()
  const running = expect(processes.run(jobOf(own, 'hang'), never)).rejects.toThrow('The job could not be done: its process has ended.')
  const busy = await untilStarted(own)
  const idle = await processOf('succeed')
  await processes.close()
  await running
  expect([busy, idle].map(isAlive)).toEqual([false, false])
  await expect(processOf('succeed')).rejects.toThrow('The job could not be done: the service is stopping.')
})

test('removes the folder of its job when the service dies', async () => {
  const own = await newFolder()
  const program = spawn(process.execPath, [file], { stdio: ['pipe', 'ignore', 'inherit'] })
  program.stdin.write(`${JSON.stringify(jobOf(own, 'hang'))}\n`)
  await untilStarted(own)
  program.stdin.end()
  expect(await once(program, 'close')).toEqual([null, 'SIGKILL'])
  expect(existsSync(own)).toBe(false)
})
