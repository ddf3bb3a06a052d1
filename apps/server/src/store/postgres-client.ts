import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Deadlines } from '../ports/deadlines.ts'
import { withoutDeadlineMark, preparedMark } from './prepared.ts'

/**
 * A connection to a PostgreSQL server that
 * - keeps the plans of statements that are marked so (Kysely has no way to say it, hence the mark), and
 * - is given up when a statement is not answered in time. A server that vanished without a word, or a firewall that forgot the
 *   connection, would else keep whoever asked waiting for as long as the system tries, which can be a quarter of an hour. The
 *   statement then fails like one whose connection was lost, and the pool opens another.
 */
export function makePostgresClient({ deadlines }: { deadlines: Deadlines }): new (config?: pg.ClientConfig) => pg.Client {
  return class extends pg.Client {
    // The overloads of `query` are many; Kysely uses one of them, with a text and its values, and gets a promise.
    override query = ((first: unknown, ...rest: unknown[]): unknown => {
      const send = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown
      if (typeof first !== 'string') return send.call(this, first, ...rest)
      const [values, ...others] = rest
      const answer = first.startsWith(preparedMark)
        ? send.call(this, { name: nameOf(first), text: first, values }, ...others)
        : send.call(this, first, ...rest)
      if (!(answer instanceof Promise) || first.startsWith(withoutDeadlineMark)) return answer
      return answer.finally(deadlines.begin(() => this.#giveUp()))
    }) as pg.Client['query']

    #giveUp() {
      const { connection } = this as unknown as { connection: { stream: NodeJS.WritableStream & { destroy(error: Error): void } } }
      connection.stream.destroy(new Error('PostgreSQL has not answered in time; the connection is given up'))
    }
  }
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}
