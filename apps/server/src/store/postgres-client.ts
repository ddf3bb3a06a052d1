import { createHash } from 'node:crypto'
import pg from 'pg'
import type { Deadlines } from '../ports/deadlines.ts'
import { withoutDeadlineMark, preparedMark } from './prepared.ts'

/**
 * A connection to a PostgreSQL server that
 * - prepares statements that carry a mark (Kysely has no other way to request this), and
 * - is closed when a statement is not answered in time. Otherwise, a server that vanished or a firewall that dropped the connection
 *   would block the caller for as long as the operating system retries, which can be a quarter of an hour. The statement fails as
 *   if its connection was lost, and the pool opens another.
 */
export function makePostgresClient({ deadlines }: { deadlines: Deadlines }): new (config?: pg.ClientConfig) => pg.Client {
  return class extends pg.Client {
    // `query` has many overloads. Kysely uses only the one with a text and its values that returns a promise.
    override query = ((first: unknown, ...rest: unknown[]): unknown => {
      const send = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown
      if (typeof first !== 'string') return send.call(this, first, ...rest)
      const [values, ...others] = rest
      const answer = first.startsWith(preparedMark)
        ? send.call(this, { name: nameOf(first), text: first, values }, ...others)
        : send.call(this, first, ...rest)
      if (!(answer instanceof Promise) || first.startsWith(withoutDeadlineMark)) return answer
      return answer.finally(deadlines.begin(() => this.#closeUnresponsive()))
    }) as pg.Client['query']

    #closeUnresponsive() {
      const { connection } = this as unknown as { connection: { stream: NodeJS.WritableStream & { destroy(error: Error): void } } }
      connection.stream.destroy(new Error('PostgreSQL did not answer in time; the connection was closed'))
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
