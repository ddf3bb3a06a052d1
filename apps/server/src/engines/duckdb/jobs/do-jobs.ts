import { rmSync, writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import { createInterface } from 'node:readline'
import duckdb, { type Connection } from '@duckdb/node-bindings'

/** What a process answers to a job, as a line on standard output. */
export interface JobAnswer {
  error: string | null
  /** Its memory has grown, and freed memory often stays with a process: the next job should get a new one. */
  isSpent: boolean
}

/** A process holds 100 MB after a small job. */
const spentBytes = 256 * 1024 * 1024

/**
 * The main loop of a program: does the jobs that it reads from standard input, one a line, each with a DuckDB of its own. The program gets
 * none of the service's environment. When the service dies, standard input closes, and this process removes the folder of its job and ends.
 */
export async function doJobs(work: (job: never, connection: Connection) => Promise<void>): Promise<void> {
  // Flush now, because this process is always killed and never exits normally.
  flushCompileCache()
  let folder: string | undefined
  process.stdin.on('close', () => {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
    // `process.exit` would wait for DuckDB's threads.
    process.kill(process.pid, 'SIGKILL')
  })
  for await (const line of createInterface({ input: process.stdin })) {
    const job = JSON.parse(line) as { folder: string }
    folder = job.folder
    // As the service has sent it.
    const error = await inNewDatabase((connection) => work(job as never, connection))
    folder = undefined
    const answer: JobAnswer = { error, isSpent: process.memoryUsage.rss() > spentBytes }
    writeSync(process.stdout.fd, `${JSON.stringify(answer)}\n`)
  }
}

/** The error of the work, or null. */
async function inNewDatabase(work: (connection: Connection) => Promise<void>): Promise<string | null> {
  const database = await duckdb.open(':memory:')
  try {
    const connection = await duckdb.connect(database)
    try {
      await work(connection)
    } finally {
      duckdb.disconnect_sync(connection)
    }
    return null
  } catch (error) {
    return String(error)
  } finally {
    duckdb.close_sync(database)
  }
}
