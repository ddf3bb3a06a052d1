import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import pg from 'pg'

const mark = '/* prepared */'

/**
 * Stands at the beginning of a statement that runs all the time: a server then plans it once a connection, and not at every
 * execution, which for the longer ones takes as long as carrying them out. Its text must always be the same; what differs goes
 * into parameters.
 */
export const prepared = sql.raw(mark)

/** A connection that keeps the plans of marked statements. Kysely has no way to say so, hence the mark. */
export class PreparingClient extends pg.Client {
  // The overloads of `query` are many, and only one of them is ours.
  override query = ((first: unknown, ...rest: unknown[]): unknown => {
    const send = pg.Client.prototype.query as (this: pg.Client, ...args: unknown[]) => unknown
    if (typeof first !== 'string' || !first.startsWith(mark)) return send.call(this, first, ...rest)
    const [values, ...others] = rest
    return send.call(this, { name: nameOf(first), text: first, values }, ...others)
  }) as pg.Client['query']
}

const names = new Map<string, string>()

function nameOf(text: string): string {
  const known = names.get(text)
  if (known) return known
  const name = createHash('sha256').update(text).digest('hex').slice(0, 32)
  names.set(text, name)
  return name
}
