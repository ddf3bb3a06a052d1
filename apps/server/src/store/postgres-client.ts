import { createHash } from 'node:crypto'
import type { Writable } from 'node:stream'
import pg from 'pg'
import type { Deadlines } from '../ports/deadlines.ts'
import { answeredEarlyMark, noteCommit, preparedMark, withoutDeadlineMark } from './prepared.ts'

/**
 * A connection to a PostgreSQL server that
 * - prepares statements that carry a mark (Kysely has no other way to request this), unless a pooler would lose them,
 * - sends BEGIN together with the first statement of the transaction, which saves a round trip,
 * - returns the rows of a statement with another mark before its commit (`answeredEarly`), and
 * - is closed when a statement is not answered in time. Otherwise, a server that vanished or a firewall that dropped the connection
 *   would block the caller for as long as the operating system retries, which can be a quarter of an hour. The statement fails as
 *   if its connection was lost, and the pool opens another.
 *
 * It needs the driver's option `pipeline`.
 */
export function makePostgresClient({
  deadlines,
  canPrepare = true,
}: {
  deadlines: Deadlines
  canPrepare?: boolean
}): new (config?: pg.ClientConfig) => pg.Client {
  return class extends pg.Client {
    /** The BEGIN of a transaction without statements so far. */
    #begin: string | undefined
    #isInTransaction = false

    // `query` has many overloads. Kysely uses only the one with a text and its values that returns a promise.
    override query = ((first: unknown, ...rest: unknown[]): unknown => {
      if (typeof first === 'string' && isBegin(first)) {
        this.#begin = first
        this.#isInTransaction = true
        return Promise.resolve(emptyResult('BEGIN'))
      }
      const begin = this.#begin
      this.#begin = undefined
      if (typeof first !== 'string') {
        // If BEGIN fails, the connection is lost, and the statement fails, too.
        if (begin !== undefined) void Promise.resolve(this.#sendInTime(begin, [])).catch(() => {})
        return this.#send(first, rest)
      }
      if (first.startsWith(answeredEarlyMark) && !this.#isInTransaction) return this.#sendWithCommit(first, rest)
      if (isEnd(first)) this.#isInTransaction = false
      if (begin === undefined) return this.#sendInTime(first, rest)
      return isEnd(first) ? Promise.resolve(emptyResult(first.toUpperCase())) : this.#sendWithBegin(begin, first, rest)
    }) as pg.Client['query']

    async #sendWithBegin(begin: string, text: string, rest: unknown[]): Promise<unknown> {
      const { stream } = this.#connection
      stream.cork()
      const answers = [this.#sendInTime(begin, []), this.#sendInTime(text, rest)]
      stream.uncork()
      const [, answer] = await Promise.all(answers)
      return answer
    }

    /**
     * All three are sent at once, so the server commits without waiting for this process. It sends the answer of each as soon as it has
     * it, and a commit waits for the disk.
     */
    async #sendWithCommit(text: string, rest: unknown[]): Promise<unknown> {
      const { stream } = this.#connection
      stream.cork()
      const begun = this.#sendInTime('begin', [])
      const answered = this.#sendInTime(text, rest) as Promise<pg.QueryResult>
      const committed = (this.#sendInTime('commit', []) as Promise<pg.QueryResult>).then(({ command }) => {
        if (command !== 'COMMIT') throw new Error('The transaction was rolled back.')
      })
      stream.uncork()
      committed.catch(() => {})
      const [, answer] = await Promise.all([begun, answered])
      noteCommit(answer.rows, committed)
      return answer
    }

    #sendInTime(text: string, rest: unknown[]): unknown {
      const [values, ...others] = rest
      const answer = canPrepare && isPrepared(text)
        ? this.#send({ name: nameOf(text), text, values }, others)
        : this.#send(text, rest)
      if (!(answer instanceof Promise) || text.startsWith(withoutDeadlineMark)) return answer
      return answer.finally(deadlines.begin(() => this.#closeUnresponsive()))
    }

    #send(first: unknown, rest: unknown[]): unknown {
      return (pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown).call(this, first, ...rest)
    }

    get #connection() {
      return (this as unknown as { connection: { stream: Writable } }).connection
    }

    #closeUnresponsive() {
      this.#connection.stream.destroy(new Error('PostgreSQL did not answer in time; the connection was closed'))
    }
  }
}

const isPrepared = (text: string) => text.startsWith(preparedMark) || text.startsWith(`${answeredEarlyMark} ${preparedMark}`)

/** The texts are those of Kysely's driver. */
const isBegin = (text: string) => text === 'begin' || text.startsWith('start transaction')
const isEnd = (text: string) => text === 'commit' || text === 'rollback'
const emptyResult = (command: string) => ({ command, rowCount: null, rows: [] })

const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}
