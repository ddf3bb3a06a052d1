import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test } from 'vitest'
import { openLog } from './log.ts'
import { type LogWriter, makeLogWriter } from './log-writer.ts'

const turn = () => new Promise((resolve) => void setImmediate(resolve))

/** A destination that accepts `roomBytes` and then fails with `fault`. */
function makeDestination(roomBytes: number, fault = 'ENOSPC') {
  const waits: (() => void)[] = []
  const self = {
    text: '',
    writes: 0,
    roomBytes,
    waitsMs: [] as number[],
    writer: undefined as unknown as LogWriter,
    /** Ends the wait until the next attempt. */
    async retry() {
      for (const callback of waits.splice(0)) callback()
      await turn()
    },
  }
  self.writer = makeLogWriter({
    fileDescriptor: -1,
    maxBufferedLength: 100,
    write(_, chunk, done) {
      const taken = chunk.subarray(0, self.roomBytes)
      self.writes += 1
      self.roomBytes -= taken.length
      self.text += taken.toString()
      if (taken.length === 0) done(Object.assign(new Error(fault), { code: fault }), 0)
      else done(null, taken.length)
    },
    later(callback, waitMs) {
      self.waitsMs.push(waitMs)
      waits.push(callback)
    },
  })
  return self
}

const line = (number: number) => `line ${number} ...\n`

test('lines written at the same moment go out together, in order', async () => {
  const destination = makeDestination(1000)
  for (const number of [1, 2, 3]) destination.writer.write(line(number))
  expect(destination.writes).toBe(0)
  await turn()
  expect(destination.text).toBe(line(1) + line(2) + line(3))
  expect([destination.writes, destination.writer.droppedLines()]).toEqual([1, 0])
})

test.each(['ENOSPC', 'EAGAIN', 'EPIPE', 'EIO'])('%s: lines wait, then are dropped and counted; later one line says how many', async (fault) => {
  const destination = makeDestination(6, fault)
  const { writer } = destination
  writer.onRecovery((droppedLines) => writer.write(`${droppedLines} missing\n`))
  writer.write(line(1))
  await turn()
  expect(destination.text).toBe('line 1')
  for (let number = 2; number <= 20; number++) writer.write(line(number))
  const dropped = writer.droppedLines()
  expect(dropped).toBeGreaterThan(5)
  await destination.retry()
  expect([destination.text, writer.droppedLines()]).toEqual(['line 1', dropped])
  destination.roomBytes = 1000
  await destination.retry()
  const kept = Array.from({ length: 20 - dropped }, (_, index) => line(index + 1))
  expect(destination.text).toBe(`${kept.join('')}${dropped} missing\n`)
  writer.write(line(21))
  await turn()
  expect(destination.text.endsWith(` missing\n${line(21)}`)).toBe(true)
  expect(writer.droppedLines()).toBe(dropped)
})

test('attempts at a destination that keeps failing become rare, until one succeeds', async () => {
  const destination = makeDestination(0)
  destination.writer.write(line(1))
  await turn()
  for (let count = 0; count < 9; count++) await destination.retry()
  expect(destination.waitsMs).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1000, 1000])
  destination.roomBytes = 3
  await destination.retry()
  expect([destination.text, destination.waitsMs.at(-1)]).toEqual(['lin', 5])
})

test('flush waits until everything is written', async () => {
  const destination = makeDestination(0)
  destination.writer.write(line(1))
  let isFlushed = false
  const flushed = destination.writer.flush(60_000).then(() => (isFlushed = true))
  await turn()
  expect(isFlushed).toBe(false)
  destination.roomBytes = 1000
  await destination.retry()
  await flushed
  expect(destination.text).toBe(line(1))
  await destination.writer.flush(60_000)
})

test('flush gives up on a destination that accepts nothing', async () => {
  const destination = makeDestination(0)
  destination.writer.write(line(1))
  await destination.writer.flush(1)
  expect(destination.text).toBe('')
})

test('writes buffered lines at exit', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'querypost-log-'))
  const file = path.join(folder, 'log')
  const fileDescriptor = openSync(file, 'w')
  const writer = makeLogWriter({ fileDescriptor })
  const log = openLog({ level: 'info', writer })
  log.info('the last line')
  writer.flushAtExit()
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ msg: 'the last line' })
  await turn()
  closeSync(fileDescriptor)
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(2)
  await rm(folder, { recursive: true })
})

describe('a process', () => {
  let child: ChildProcess
  afterEach(async () => {
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  })

  function start(stdout: 'pipe' | number) {
    const script = fileURLToPath(new URL('../../testing/servers/logging-process.ts', import.meta.url))
    child = spawn(process.execPath, [script], { stdio: ['ignore', stdout, 'inherit', 'ipc'] })
  }

  async function log(lines: number): Promise<number> {
    child.send({ lines })
    const [{ droppedLines }] = (await once(child, 'message')) as [{ droppedLines: number }]
    return droppedLines
  }

  test('continues while its disk is full', async () => {
    // macOS has no such device; there, a read-only descriptor fails in the same way.
    const full = existsSync('/dev/full') ? openSync('/dev/full', 'w') : openSync('/dev/null', 'r')
    start(full)
    closeSync(full)
    // All lines of the first moment may fit into the buffer.
    await log(5_000)
    const dropped = await log(5_000)
    expect(dropped).toBeGreaterThan(5_000)
    expect(await log(1)).toBe(dropped + 1)
  })

  test('continues while nobody reads its output, and reports the missing lines once someone does', async () => {
    start('pipe')
    const dropped = await log(20_000)
    expect(dropped).toBeGreaterThan(10_000)
    expect(await log(1)).toBe(dropped + 1)
    const numbers: number[] = []
    let summary: { number?: number } = {}
    for await (const text of createInterface(child.stdout!)) {
      summary = JSON.parse(text) as { number?: number }
      if (summary.number === undefined) break
      numbers.push(summary.number)
    }
    expect(summary).toMatchObject({ level: 50, droppedLines: dropped + 1 })
    expect(numbers).toEqual(Array.from({ length: 20_000 - dropped }, (_, index) => index + 1))
  })

  test('continues after the reader of its output is gone', async () => {
    start('pipe')
    await log(1)
    child.stdout!.destroy()
    await log(10_000)
    expect(await log(1)).toBeGreaterThan(0)
  })
})
