import { createReadStream } from 'node:fs'
import { mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import type { Clock } from '../../../ports/clock.ts'
import { makeSemaphore } from '../../../ports/semaphore.ts'
import { type JobProcesses, makeJobProcesses } from '../jobs/job-processes.ts'
import type { ParquetRequest } from './parquet-statement.ts'

/**
 * Writes Parquet files with DuckDB in separate processes, from rows as JSON lines. At most `atOnce` are written at the same time;
 * the others wait in order. The temporary folder is removed once the file is open for reading, or has failed.
 */
export interface ParquetWriter {
  write(options: { rows: ParquetRows; signal: AbortSignal }): Promise<{ sizeBytes: number; bytes: Readable }>
  close(): Promise<void>
}

export interface ParquetRows {
  /** One object per line, keyed by column index. */
  pieces(): AsyncGenerator<string>
  /** Called once `pieces` has been read to its end. Names are unique; types are DuckDB's. */
  columns(): { name: string; type: string }[]
  rowCount(): number
}

const memoryLimitMb = 512
/** In addition to DuckDB's own limit; see `duckdb-engine.ts`. */
const processMemoryLimitMb = memoryLimitMb + 1024
const childFile = fileURLToPath(new URL('./parquet-child.ts', import.meta.url))

export function makeParquetWriter(options: { temporaryDirectory: string; atOnce?: number; clock: Pick<Clock, 'sleep'> }): ParquetWriter {
  const processes = makeJobProcesses({
    file: childFile,
    processMemoryLimitMb,
    failure: 'The Parquet file could not be written',
    clock: options.clock,
  })
  const semaphore = makeSemaphore({ permits: options.atOnce ?? 2 })
  return {
    // A client that disconnects while it waits leaves the queue at once.
    write: ({ rows, signal }) =>
      semaphore.run(async () => {
        await mkdir(options.temporaryDirectory, { recursive: true })
        const folder = await mkdtemp(path.join(path.resolve(options.temporaryDirectory), 'parquet-'))
        try {
          return await writeInto(processes, folder, rows, signal)
        } finally {
          // The open file can be read to its end even after its name is removed.
          await rm(folder, { recursive: true, force: true })
        }
      }, signal),
    close: () => processes.close(),
  }
}

async function writeInto(processes: JobProcesses, folder: string, rows: ParquetRows, signal: AbortSignal) {
  const rowsBytes = await writeRows(path.join(folder, 'rows.json'), rows, signal)
  const request: ParquetRequest = { folder, columns: rows.columns(), rowCount: rows.rowCount(), rowsBytes, memoryLimitMb }
  await processes.run(request, signal)
  const file = await open(path.join(folder, 'result.parquet'))
  const { size } = await file.stat()
  return { sizeBytes: size, bytes: createReadStream('', { fd: file, highWaterMark: 256 * 1024 }) }
}

async function writeRows(name: string, rows: ParquetRows, signal: AbortSignal): Promise<number> {
  const file = await open(name, 'wx')
  let sizeBytes = 0
  try {
    for await (const piece of rows.pieces()) {
      signal.throwIfAborted()
      sizeBytes += (await file.write(piece)).bytesWritten
    }
  } finally {
    await file.close()
  }
  return sizeBytes
}
