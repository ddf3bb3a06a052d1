/**
 * The process that runs user SQL on a SQLite file: `node sqlite-child.ts <settings>`. Like DuckDB's, it gets none of the service's
 * environment, runs one statement at a time, and is killed to stop it.
 *
 * SQLite blocks its thread, so statements run in a worker thread. The main thread stays free and sees stdin close when the service is
 * gone; then it removes its folders and kills itself.
 */
import { rmSync, writeSync } from 'node:fs'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { answerDescriptor, type ChildSettings, encodeJsonFrame, frameKind, frameReader, type RunRequest } from '../duckdb/protocol.ts'

const settings = (isMainThread ? JSON.parse(process.argv[2]!) : workerData) as ChildSettings
/** The working directory of this process. */
const stage = process.cwd()

if (isMainThread) await watchAndForward()
else await answerRequests()

function cleanUpAndExit(): void {
  try {
    for (const each of [settings.folder, stage]) rmSync(each, { recursive: true, force: true })
  } finally {
    // `process.exit` would wait for the statement.
    process.kill(process.pid, 'SIGKILL')
  }
}

async function watchAndForward(): Promise<void> {
  process.stdin.on('close', cleanUpAndExit)
  const worker = new Worker(new URL('./sqlite-child.ts', import.meta.url), { workerData: settings })
  worker.on('error', (error) => {
    process.stderr.write(`${error.message}\n`)
    cleanUpAndExit()
  })
  const nextFrame = frameReader(process.stdin[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>)
  for (let frame = await nextFrame(); frame !== null; frame = await nextFrame()) {
    worker.postMessage(JSON.parse(Buffer.from(frame.payload).toString()) as RunRequest, [])
  }
}

async function answerRequests(): Promise<void> {
  // Imported here, because Node before 22.5 has no SQLite. The process that cannot run statements says so.
  const modules = await Promise.all([
    import('./sqlite-sandbox.ts'),
    import('./run-sqlite.ts'),
    import('./sqlite-failure.ts'),
    import('./sqlite-statement.ts'),
  ]).catch(() => undefined)
  parentPort!.on('message', ({ sql }: RunRequest) => {
    if (!modules) {
      const message = 'SQLite needs Node 24 or newer. Ask the operator to update Node.'
      return send(encodeJsonFrame(frameKind.error, { errorKind: 'unreachable', message, position: null, isSpent: false }))
    }
    const [{ openSandbox }, { runStatement }, { describeFailure, describeOpenFailure }, { checkStatement }] = modules
    let database: ReturnType<typeof openSandbox>
    try {
      database = openSandbox(settings)
    } catch (error) {
      return send(encodeJsonFrame(frameKind.error, describeOpenFailure(error, [settings.file])))
    }
    try {
      runStatement({ database, sql: checkStatement(sql), send })
    } catch (error) {
      send(encodeJsonFrame(frameKind.error, describeFailure(error, sql)))
    } finally {
      database.close()
    }
  })
}

/** Blocks while the pipe is full. This is the backpressure that slows SQLite down when the reader is slow. */
function send(frame: Uint8Array): void {
  let written = 0
  try {
    while (written < frame.length) written += writeSync(answerDescriptor, frame, written)
  } catch {
    cleanUpAndExit()
  }
}
