/**
 * Writes log lines without ever making the service wait or fail. The *destination* (a file, a pipe, a terminal) may be full, slow
 * or closed; then lines wait in a bounded *buffer*, and lines that do not fit are *dropped* and counted.
 *
 * - At most one write is in progress, so lines keep their order. A line that was partly written is finished before anything else.
 * - Once a line was dropped, lines are dropped until half of the buffer is free. Then one line says how many are missing.
 * - A failed write is retried for as long as the process runs: disks get space and named pipes get readers again.
 */
import { write, writeSync } from 'node:fs'

export interface LogWriter {
  /** Accepts one or more whole lines. Never blocks and never throws. */
  write(text: string): void
  /** How many lines were dropped since the start. */
  droppedLines(): number
  /** Calls `report` with the number of missing lines when writing works again; it may write. */
  onRecovery(report: (droppedLines: number) => void): void
  /** Resolves when everything is written, or after `timeoutMs`. */
  flush(timeoutMs: number): Promise<void>
  /** For a process that is about to exit: writes what the destination accepts at once. */
  flushAtExit(): void
}

export interface LogWriterOptions {
  fileDescriptor: number
  /** In UTF-16 units: how much may be buffered while the destination accepts nothing. */
  maxBufferedLength?: number
  /** Like `fs.write`. */
  write?(fileDescriptor: number, chunk: Buffer, done: (error: Error | null, bytesWritten: number) => void): void
  /** Calls back later, without keeping the process alive. */
  later?(callback: () => void, waitMs: number): void
}

/** About 16,000 lines. */
const defaultMaxBufferedLength = 4 * 2 ** 20
const maxChunkLength = 64 * 1024
/** A pipe whose reader is only slow has room again within milliseconds; a full disk takes longer. */
const firstRetryMs = 5
const lastRetryMs = 1_000

export function makeLogWriter(options: LogWriterOptions): LogWriter {
  const { fileDescriptor, maxBufferedLength = defaultMaxBufferedLength } = options
  const writeChunk = options.write ?? ((to, chunk, done) => write(to, chunk, 0, chunk.length, null, done))
  const later = options.later ?? ((callback, waitMs) => void setTimeout(callback, waitMs).unref())
  let lines: string[] = []
  let bufferedLength = 0
  /** Taken from the buffer, but not completely written yet. */
  let chunk: Buffer = Buffer.alloc(0)
  let state: 'idle' | 'scheduled' | 'writing' | 'waiting' = 'idle'
  let retryMs = firstRetryMs
  let droppedLines = 0
  let unreportedLines = 0
  let report: ((droppedLines: number) => void) | undefined
  const whenEmpty: (() => void)[] = []

  function takeChunk(): Buffer {
    let count = 0
    let length = 0
    while (count < lines.length && (count === 0 || length + lines[count]!.length <= maxChunkLength)) length += lines[count++]!.length
    const taken = count === lines.length ? lines : lines.slice(0, count)
    lines = count === lines.length ? [] : lines.slice(count)
    bufferedLength -= length
    return Buffer.from(taken.join(''))
  }

  function writeNext(): void {
    if (chunk.length === 0) chunk = takeChunk()
    if (chunk.length === 0) {
      state = 'idle'
      for (const resolve of whenEmpty.splice(0)) resolve()
      return
    }
    state = 'writing'
    writeChunk(fileDescriptor, chunk, (error, bytesWritten) => {
      if (error || bytesWritten === 0) {
        state = 'waiting'
        later(writeNext, retryMs)
        retryMs = Math.min(lastRetryMs, retryMs * 2)
        return
      }
      retryMs = firstRetryMs
      chunk = chunk.subarray(bytesWritten)
      reportDropped()
      writeNext()
    })
  }

  function reportDropped(): void {
    if (unreportedLines === 0 || bufferedLength > maxBufferedLength / 2) return
    const missing = unreportedLines
    unreportedLines = 0
    report?.(missing)
  }

  return {
    write(text) {
      if (unreportedLines > 0 || bufferedLength + text.length > maxBufferedLength) {
        droppedLines += 1
        unreportedLines += 1
        return
      }
      lines.push(text)
      bufferedLength += text.length
      if (state !== 'idle') return
      // Not at once: other lines logged at this moment go into the same write.
      state = 'scheduled'
      setImmediate(writeNext)
    },
    droppedLines: () => droppedLines,
    onRecovery(callback) {
      report = callback
    },
    flush(timeoutMs) {
      if (state === 'idle') return Promise.resolve()
      return new Promise((resolve) => {
        const timer = setTimeout(resolve, timeoutMs)
        whenEmpty.push(() => {
          clearTimeout(timer)
          resolve()
        })
      })
    },
    flushAtExit() {
      if (state === 'writing') {
        // Another thread is writing the chunk, which takes only a moment unless the destination is stuck.
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20)
        chunk = Buffer.alloc(0)
      }
      try {
        for (;;) {
          if (chunk.length === 0) chunk = takeChunk()
          if (chunk.length === 0) return
          chunk = chunk.subarray(writeSync(fileDescriptor, chunk))
        }
      } catch {
        // Full, stuck or closed: these lines are lost.
      }
    },
  }
}

let stdoutWriter: LogWriter | undefined

/** The only writer of this process's standard output. */
export function openStdoutWriter(): LogWriter {
  if (!stdoutWriter) {
    // Opening the stream makes a pipe non-blocking. A blocked write would occupy a libuv thread, and block the process's exit,
    // forever.
    void process.stdout
    stdoutWriter = makeLogWriter({ fileDescriptor: 1 })
    process.on('exit', stdoutWriter.flushAtExit)
  }
  return stdoutWriter
}
