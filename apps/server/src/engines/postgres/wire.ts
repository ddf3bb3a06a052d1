import { EngineError } from '../engine.ts'
import { networkFailure } from '../server-failures.ts'
import type { DialedConnection } from './dial-postgres.ts'
import { faultError, readFault, type Fault } from './fault.ts'
import { MessageReader } from './message-reader.ts'
import { answer, query } from './messages.ts'

/** The connection ended unexpectedly. */
export class ConnectionLost extends EngineError {}

/**
 * Requests and responses over one socket. The server ends every response with a message that it is ready for more.
 */
export class Wire {
  readonly reader: MessageReader
  readonly dialed: DialedConnection
  #unanswered = 0

  constructor(dialed: DialedConnection) {
    this.dialed = dialed
    this.reader = new MessageReader(dialed.socket)
  }

  /** `answers`: how many times these messages will make the server report that it is ready. */
  send(messages: Buffer[], { answers }: { answers: number }): void {
    this.#unanswered += answers
    if (this.dialed.socket.writable) this.dialed.socket.write(Buffer.concat(messages))
  }

  /** Whether everything is answered, so that the next response belongs to the next request. */
  get isReady(): boolean {
    return this.#unanswered === 0
  }

  noteReady(): void {
    this.#unanswered--
  }

  /** Reads until the server is ready again, passing each message to `onMessage`. Returns the server's error, if any. */
  async settle(onMessage?: (reader: MessageReader) => void): Promise<Fault | null> {
    const { reader } = this
    let fault: Fault | null = null
    for (;;) {
      while (reader.take()) {
        if (reader.kind === answer.readyForQuery) {
          this.noteReady()
          return fault
        }
        if (reader.kind === answer.error) fault = readFault(reader.bytes, reader.start, reader.end)
        else onMessage?.(reader)
      }
      if (!(await reader.fill())) throw this.lost(fault)
    }
  }

  /** Runs one of the service's own small statements and returns its rows. */
  async queryRows(sql: string): Promise<string[][]> {
    const rows: string[][] = []
    this.send([query(sql)], { answers: 1 })
    const fault = await this.settle((reader) => {
      if (reader.kind === answer.dataRow) rows.push(readTexts(reader))
    })
    if (fault) throw faultError(fault, '')
    return rows
  }

  /** Prefers the server's last error over the mere loss of the connection. */
  lost(fault: Fault | null): ConnectionLost {
    const { cause } = this.reader
    const reason = fault ? faultError(fault, '').message : networkFailure(cause)
    return new ConnectionLost('unreachable', reason ?? 'The connection to the database server was lost.', { cause })
  }

  /** Closes the socket at once, without a terminate message. */
  drop(): void {
    this.dialed.socket.destroy()
  }
}

function readTexts({ bytes, start }: MessageReader): string[] {
  const count = bytes.readInt16BE(start)
  const texts: string[] = []
  let at = start + 2
  for (let index = 0; index < count; index++) {
    const length = Math.max(0, bytes.readInt32BE(at))
    texts.push(bytes.toString('utf8', at + 4, at + 4 + length))
    at += 4 + length
  }
  return texts
}
