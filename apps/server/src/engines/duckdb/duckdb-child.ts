/**
 * The process that runs user SQL: `node duckdb-child.ts <settings>`. It gets none of the service's environment, and works in an empty
 * folder (its *stage*) beside the one that holds its files. It runs one statement at a time, so killing it stops exactly one. Its data
 * is read-only, so killing it loses nothing.
 *
 * It must never outlive the service. While a statement runs on DuckDB's threads, this thread is free and sees stdin close. While it is
 * blocked writing a response, the write fails. Either way it removes its folders and kills itself.
 */
import { readFileSync, realpathSync, rmSync, writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { basename, join } from 'node:path'
import duckdb from '@duckdb/node-bindings'
import type { FileTable } from '../engine.ts'
import { describeFailure } from './duckdb-failure.ts'
import { answerDescriptor, encodeJsonFrame, frameKind, frameReader, type ChildSettings, type Failure, type RunRequest } from './protocol.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'
import { runStatement } from './duckdb-statement.ts'

const settings = JSON.parse(process.argv[2]!) as ChildSettings
const { folder } = settings
/** The working directory of this process; see `hidden-file.ts`. */
const stage = process.cwd()
const ownPaths = [join(stage, basename(settings.file)), realPathOf(folder), folder, stage]

/** What error messages must not reveal. */
function pathsWith(tables: FileTable[]): string[] {
  const files = [settings.file, ...tables.map(({ file }) => file)]
  return [...files.flatMap((file) => [realPathOf(file), file]), ...ownPaths]
}

process.stdin.on('close', cleanUpAndExit)

function cleanUpAndExit(): void {
  try {
    for (const each of [folder, stage]) rmSync(each, { recursive: true, force: true })
  } finally {
    // `process.exit` would wait for DuckDB's threads.
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

/** Blocks while the pipe is full. This is the backpressure that slows DuckDB down when the reader is slow. */
function send(frame: Uint8Array): void {
  let written = 0
  try {
    while (written < frame.length) written += writeSync(answerDescriptor, frame, written)
  } catch {
    cleanUpAndExit()
  }
}

const pageMb = 4096 / 1024 / 1024

/** Freed memory often stays with the process. Past three quarters of its limit, the next statement gets a new process. */
function isSpent(): boolean {
  try {
    const dataPages = Number(readFileSync('/proc/self/statm', 'utf8').split(' ')[5])
    return dataPages * pageMb > settings.processMemoryLimitMb * 0.75
  } catch {
    // Not Linux, so there is no limit either.
    return false
  }
}

/**
 * How many statements a sandbox serves. Preparing a connection takes 0.5 ms, opening a sandbox 20 ms. Many sandboxes serve only a few
 * statements, because the process is idle after them or the file is replaced, so only the successor of one that was used up has many
 * connections.
 */
const connectionsPerSandbox = { first: 8, afterUsedUp: 64 }

let opening: Promise<Sandbox> | undefined
let nextConnectionCount = connectionsPerSandbox.first

/** The sandbox for the next statement. Without tables, it is opened ahead of time; with tables, it serves one statement. */
function sandbox(tables: FileTable[] = []): Promise<Sandbox> {
  if (opening === undefined) {
    opening = openSandbox(settings, { tables, connectionCount: tables.length > 0 ? 1 : nextConnectionCount })
    opening.catch(() => {})
  }
  return opening
}

async function discardSandbox(): Promise<void> {
  const old = await opening?.catch(() => undefined)
  opening = undefined
  nextConnectionCount = old?.isUsedUp() ? connectionsPerSandbox.afterUsedUp : connectionsPerSandbox.first
  old?.close()
}

/** A clean sandbox and a connection to it. */
async function prepare(tables: FileTable[]) {
  if (tables.length > 0) await discardSandbox()
  for (;;) {
    const current = await sandbox(tables).catch(async (cause: unknown) => {
      await discardSandbox()
      const { message, isSpent } = describeFailure(cause, { paths: pathsWith(tables) })
      const reason = `The database cannot be opened: ${message}`
      const failure: Failure = { errorKind: 'unreachable', message: reason, position: null, isSpent }
      send(encodeJsonFrame(frameKind.error, failure))
    })
    if (current === undefined) return undefined
    const connection = current.takeConnection()
    if (connection !== undefined && current.hasSameFile()) return { current, connection }
    await discardSandbox()
  }
}

async function answer({ sql, tables = [] }: RunRequest): Promise<void> {
  const prepared = await prepare(tables)
  if (prepared === undefined) return
  const { current, connection } = prepared
  try {
    await runStatement({ sandbox: current, connection, sql, isSpent, send })
  } catch (error) {
    const failure = describeFailure(error, { paths: pathsWith(tables), sql })
    send(encodeJsonFrame(frameKind.error, { ...failure, isSpent: failure.isSpent || isSpent() }))
  }
  // The response has been sent; the cleanup does not delay it.
  duckdb.disconnect_sync(connection)
  if (!(await current.isReusable())) await discardSandbox()
  if (tables.length === 0) void sandbox()
}

void sandbox()
// Flush now, because this process is always killed and never exits normally.
flushCompileCache()
const nextFrame = frameReader(process.stdin[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>)
for (;;) {
  const frame = await nextFrame()
  if (frame === null) break
  await answer(JSON.parse(Buffer.from(frame.payload).toString()) as RunRequest)
}
