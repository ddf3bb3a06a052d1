/**
 * The process in which people's SQL runs: `node duckdb-child.ts <settings>`, with nothing of the service in its environment, in an empty folder
 * (its *stage*) beside the one that holds its files.
 * It runs one statement at a time, so that killing it stops exactly one; everything it could lose is read-only.
 *
 * It must never outlive the service. While a statement runs on DuckDB's threads this one is free and sees stdin close; while it is
 * blocked writing an answer, the write fails. Either way it removes its folder and kills itself.
 */
import { readFileSync, realpathSync, rmSync, writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { basename, join } from 'node:path'
import duckdb from '@duckdb/node-bindings'
import { describeFailure } from './duckdb-failure.ts'
import { answerDescriptor, encodeJsonFrame, frameKind, frameReader, type ChildSettings, type Failure, type RunRequest } from './protocol.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'
import { runStatement } from './duckdb-statement.ts'

const settings = JSON.parse(process.argv[2]!) as ChildSettings
const { folder } = settings
/** Where this process is; see `hidden-file.ts`. */
const stage = process.cwd()
const paths = [realPathOf(settings.file), settings.file, join(stage, basename(settings.file)), realPathOf(folder), folder, stage]

process.stdin.on('close', leave)

function leave(): void {
  try {
    for (const each of [folder, stage]) rmSync(each, { recursive: true, force: true })
  } finally {
    // Not `process.exit`: it would wait for DuckDB's threads.
    process.kill(process.pid, 'SIGKILL')
  }
}

function realPathOf(file: string): string {
  try {
    return realpathSync(file)
  } catch {
    return file
  }
}

/** Blocks while the pipe is full: this is what holds DuckDB back when the reader is slow. */
function send(frame: Uint8Array): void {
  let written = 0
  try {
    while (written < frame.length) written += writeSync(answerDescriptor, frame, written)
  } catch {
    leave()
  }
}

const pageMb = 4096 / 1024 / 1024

/** Freed memory often stays with the process: past three quarters of its limit, a new process serves the next statement better. */
function isSpent(): boolean {
  try {
    const dataPages = Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[5])
    return dataPages * pageMb > settings.processMemoryLimitMb * 0.75
  } catch {
    // Not Linux: there is no limit either.
    return false
  }
}

let opening: Promise<Sandbox> | undefined

/** The next statement's sandbox, opened ahead of it. */
function sandbox(): Promise<Sandbox> {
  if (opening === undefined) {
    opening = openSandbox(settings)
    opening.catch(() => {})
  }
  return opening
}

async function giveUpSandbox(): Promise<void> {
  const old = await opening?.catch(() => undefined)
  opening = undefined
  old?.close()
}

/** A sandbox that is as good as new, and a connection of it. */
async function prepare() {
  for (;;) {
    const current = await sandbox().catch(async (cause: unknown) => {
      await giveUpSandbox()
      const { message, isSpent } = describeFailure(cause, { paths })
      const words = `The database cannot be opened: ${message}`
      const failure: Failure = { errorKind: 'unreachable', message: words, position: null, isSpent }
      send(encodeJsonFrame(frameKind.error, failure))
    })
    if (current === undefined) return undefined
    const connection = current.takeConnection()
    if (connection !== undefined && current.hasSameFile()) return { current, connection }
    await giveUpSandbox()
  }
}

async function answer({ sql }: RunRequest): Promise<void> {
  const prepared = await prepare()
  if (prepared === undefined) return
  const { current, connection } = prepared
  try {
    await runStatement({ sandbox: current, connection, sql, isSpent, send })
  } catch (error) {
    const failure = describeFailure(error, { paths, sql })
    send(encodeJsonFrame(frameKind.error, { ...failure, isSpent: failure.isSpent || isSpent() }))
  }
  // The answer is out; what follows does not delay it.
  duckdb.disconnect_sync(connection)
  if (!(await current.isReusable())) await giveUpSandbox()
  void sandbox()
}

void sandbox()
// At the end it would be too late: this process is always killed.
flushCompileCache()
const nextFrame = frameReader(process.stdin[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>)
for (;;) {
  const frame = await nextFrame()
  if (frame === null) break
  await answer(JSON.parse(Buffer.from(frame.payload).toString()) as RunRequest)
}
