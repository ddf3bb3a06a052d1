/**
 * One child process, as the engine sees it. It is *idle* or runs one statement. Once it is killed or dead, nothing more is sent to it.
 * `ended` resolves when the process is gone and its folder is removed.
 */
import type { ChildProcess } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { freeBytes } from '../../ports/free-bytes.ts'
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
import { startChild } from './start-child.ts'

export interface EngineProcess {
  readonly pid: number | undefined
  send(request: RunRequest): void
  /** The next answer of the running statement; null when the process has ended. */
  nextAnswer(): Promise<Answer | null>
  kill(): void
  /** True once `kill` was called, so the process did not crash. */
  wasKilled(): boolean
  /** Why it ended, as a message for the author of the statement that was running. */
  readonly ended: Promise<string>
}

export interface ProcessOptions extends Omit<ChildSettings, 'folder'> {
  temporaryDirectory: string
  /** The program that answers; DuckDB's by default. */
  childFile?: string
  log: Log
}

const duckdbChildFile = fileURLToPath(new URL('./duckdb-child.ts', import.meta.url))
const keptErrorBytes = 4096

/** Statements use all processors for a while. At a lower priority they leave requests theirs, and are as fast where none is taken. */
export const politeExec = 'command -v nice >/dev/null && exec nice -n 5 "$@"; exec "$@"'

/**
 * The shell sets the limits and is replaced by node: one process, one pid. A limit that cannot be set is skipped.
 * `-d` limits writable memory. `-v` would limit mapped memory, but node alone maps most of what it finds (2.8 of 3 GB,
 * 10 of 16): too low, and sorting a million rows kills the process; too high, and it limits nothing.
 */
export const launchScript = `ulimit -c 0 2>/dev/null; ulimit -d "$1" 2>/dev/null; shift; ${politeExec}`

export async function startProcess(options: ProcessOptions): Promise<EngineProcess> {
  const { temporaryDirectory, childFile = duckdbChildFile, log, ...settings } = options
  await mkdir(temporaryDirectory, { recursive: true })
  const folder = await mkdtemp(join(temporaryDirectory, 'duckdb-'))
  // SQL can find out the working directory, so it is a folder that reveals nothing. The files are in `folder`.
  const stage = await mkdtemp(join(tmpdir(), 'duckdb-')).catch(() => folder)
  const started: ChildSettings = { ...settings, folder }
  const command = [process.execPath, '--max-old-space-size=256', childFile, JSON.stringify(started)]
  const removeFolders = async () => {
    for (const each of [folder, stage]) await rm(each, { recursive: true, force: true })
  }
  let child: ChildProcess
  try {
    child = startChild('/bin/sh', ['-c', launchScript, 'sh', String(settings.processMemoryLimitMb * 1024), ...command], {
      cwd: stage,
      env: childEnvironment(),
      stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    })
  } catch (error) {
    await removeFolders()
    throw error
  }
  const errors = keepTail(child.stderr!)
  const answers = child.stdio[answerDescriptor] as Readable
  const requests = child.stdin as Writable
  // If the process dies while it is written to or read from, `ended` and the end of its answers report it.
  requests.on('error', () => {})
  answers.on('error', () => {})
  let wasKilled = false
  const ended = childEnd(child).then(async (end) => {
    await errors.complete
    await removeFolders()
    if (!wasKilled) log.warn({ engine: 'duckdb', pid: child.pid, ...end, stderr: errors.text() }, 'engine process ended unexpectedly')
    return describeEnd(errors.text())
  })
  const nextFrame = frameReader(withoutPipeErrors(answers))
  function kill(): void {
    wasKilled = true
    child.kill('SIGKILL')
    // Unread data would keep the pipe open, and nothing will read it.
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
        log.error({ err: error, engine: 'duckdb', pid: child.pid }, 'engine process violated the protocol')
        kill()
        return null
      }
    },
    kill,
    wasKilled: () => wasKilled,
    ended,
  }
}

/** Treats a broken pipe as the end of the stream. The process's exit status tells why. */
async function* withoutPipeErrors(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    for await (const bytes of stream as AsyncIterable<Uint8Array>) {
      yield bytes
      // The reader has copied them.
      freeBytes(bytes)
    }
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
    ? 'The statement used more memory than it may use.'
    : 'The engine process ended unexpectedly while it ran the statement. It may have used too much memory.'
}
