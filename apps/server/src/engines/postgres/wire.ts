import { EngineError } from '../engine.ts'
import { networkFailure } from '../server-failures.ts'
import type { Dialled } from './dial-postgres.ts'
import { faultError, readFault, type Fault } from './fault.ts'
import { MessageReader } from './message-reader.ts'
import { answer, query } from './messages.ts'

/** The connection ended, and not because we wanted it to. */
export class ConnectionLost extends EngineError {}

/**
 * Questions and answers over one socket: whatever is sent, the server ends its answer by saying that it is ready for
 * more.
 */
export class Wire {
  readonly reader: MessageReader
  readonly dialled: Dialled
  #unanswered = 0

  constructor(dialled: Dialled) {
    this.dialled = dialled
    this.reader = new MessageReader(dialled.socket)
  }

  /** `answers`: how often the server will say that it is ready, having read these messages. */
  send(messages: Buffer[], { answers }: { answers: number }): void {
    this.#unanswered += answers
    if (this.dialled.socket.writable) this.dialled.socket.write(Buffer.concat(messages))
  }

  /** Whether everything is answered, so that the next answer will be that to the next question. */
  get isReady(): boolean {
    return this.#unanswered === 0
  }

  noteReady(): void {
    this.#unanswered--
  }

  /** Reads up to where the server is ready again, and shows the messages on the way. Gives what it found fault with. */
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

  /** The rows of a small statement of ours. */
  async ask(sql: string): Promise<string[][]> {
    const rows: string[][] = []
    this.send([query(sql)], { answers: 1 })
    const fault = await this.settle((reader) => {
      if (reader.kind === answer.dataRow) rows.push(readTexts(reader))
    })
    if (fault) throw faultError(fault, '')
    return rows
  }

  /** What the server said last tells more than that it hung up. */
  lost(fault: Fault | null): ConnectionLost {
    const { cause } = this.reader
    const words = fault ? faultError(fault, '').message : networkFailure(cause)
    return new ConnectionLost('unreachable', words ?? 'The connection to the database server was lost.', { cause })
  }

  /** At once, without a word. */
  drop(): void {
    this.dialled.socket.destroy()
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
