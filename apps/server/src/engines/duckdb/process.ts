/**
 * One child process, seen from the engine. It is *idle*, or it runs one statement; once killed or dead it is only waited for.
 * `ended` resolves when the process is gone and its folder removed.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Log } from '../../ports/log.ts'
import { childEnvironment } from './child-environment.ts'
import {
  answerDescriptor,
  decodeAnswer,
  encodeJsonFrame,
  frameKind,
  frameReader,
  type Answer,
  type ChildSettings,
  type RunRequest,
} from './protocol.ts'

export interface EngineProcess {
  readonly pid: number | undefined
  send(request: RunRequest): void
  /** The next answer of the running statement; null when the process has ended. */
  nextAnswer(): Promise<Answer | null>
  kill(): void
  /** True once `kill` was called: it did not end by its own fault. */
  wasKilled(): boolean
  /** How it ended, in words for the person whose statement was running. */
  readonly ended: Promise<string>
}

export interface ProcessOptions extends Omit<ChildSettings, 'folder'> {
  temporaryDirectory: string
  log: Log
}

const childFile = fileURLToPath(new URL('./duckdb-child.ts', import.meta.url))
const keptErrorBytes = 4096

/**
 * The shell sets the limits and is replaced by node: one process, one id. Where a limit cannot be set, it runs without.
 * `-d` bounds the memory that can be written to. `-v` bounds what is mapped, of which node alone takes whatever it finds (2.8 of
 * 3 GB, 10 of 16): too low and a sort of a million rows kills the process, too high and it bounds nothing.
 */
export const launchScript = 'ulimit -c 0 2>/dev/null; ulimit -d "$1" 2>/dev/null; shift; exec "$@"'

export async function startProcess(options: ProcessOptions): Promise<EngineProcess> {
  const { temporaryDirectory, log, ...settings } = options
  await mkdir(temporaryDirectory, { recursive: true })
  const folder = await mkdtemp(join(temporaryDirectory, 'duckdb-'))
  // SQL can learn where the process is at work, so that is nowhere in particular. Its files are in the folder.
  const stage = await mkdtemp(join(tmpdir(), 'duckdb-')).catch(() => folder)
  const started: ChildSettings = { ...settings, folder }
  const command = [process.execPath, '--max-old-space-size=256', childFile, JSON.stringify(started)]
  const child = spawn('/bin/sh', ['-c', launchScript, 'sh', String(settings.processMemoryLimitMb * 1024), ...command], {
    cwd: stage,
    env: childEnvironment(),
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  })
  const errors = keepTail(child.stderr!)
  const answers = child.stdio[answerDescriptor] as Readable
  const requests = child.stdin as Writable
  // A process that dies while it is written to or read from is reported by `ended` and by the end of its answers.
  requests.on('error', () => {})
  answers.on('error', () => {})
  let wasKilled = false
  const ended = childEnd(child).then(async (end) => {
    await errors.complete
    for (const each of [folder, stage]) await rm(each, { recursive: true, force: true })
    if (!wasKilled) log.warn({ engine: 'duckdb', pid: child.pid, ...end, stderr: errors.text() }, 'engine process ended unexpectedly')
    return describeEnd(errors.text())
  })
  const nextFrame = frameReader(endingQuietly(answers))
  function kill(): void {
    wasKilled = true
    child.kill('SIGKILL')
    // What was not read will not be: left in the pipe, it would keep the pipe open.
    answers.destroy()
  }
  return {
    pid: child.pid,
    send: (request) => void requests.write(encodeJsonFrame(frameKind.run, request)),
    async nextAnswer() {
      try {
        const frame = await nextFrame()
        return frame === null ? null : decodeAnswer(frame)
      } catch (error) {
        log.error({ engine: 'duckdb', pid: child.pid, error }, 'engine process does not speak the protocol')
        kill()
        return null
      }
    },
    kill,
    wasKilled: () => wasKilled,
    ended,
  }
}

/** A broken pipe is an end like any other: why the process is gone is not the pipe's to say. */
async function* endingQuietly(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const bytes of stream) yield bytes as Uint8Array
  } catch {
    // See above.
  }
}

function childEnd(child: ChildProcess): Promise<{ code: number | null; signal: string | null }> {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ code: null, signal: error.message }))
    child.on('exit', (code, signal) => resolve({ code, signal }))
  })
}

function keepTail(stream: Readable): { text(): string; complete: Promise<void> } {
  let kept = Buffer.alloc(0)
  stream.on('error', () => {})
  const complete = new Promise<void>((resolve) => void stream.on('close', resolve))
  stream.on('data', (bytes: Buffer) => {
    kept = Buffer.concat([kept, bytes]).subarray(-keptErrorBytes)
  })
  return { text: () => kept.toString(), complete }
}

function describeEnd(errors: string): string {
  return /out of memory|bad_alloc|allocation failed|cannot allocate|memory allocation/i.test(errors)
    ? 'The statement used more memory than it is allowed.'
    : 'The engine process ended unexpectedly while it ran the statement: it may have used more memory than it is allowed.'
}
