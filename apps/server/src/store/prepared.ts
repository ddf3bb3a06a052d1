import { sql } from 'kysely'

/** Marks for statements that the connection handles specially (postgres-client.ts). To the database they are comments. */
export const preparedMark = '/* prepared */'
export const withoutDeadlineMark = '/* no deadline */'
export const answeredEarlyMark = '/* answered early */'

/**
 * Put at the beginning of a frequent statement: the server then plans it once per connection instead of on every execution, which
 * for longer statements takes as long as running them. The text must always be the same; anything that varies must be a parameter.
 */
export const prepared = sql.raw(preparedMark)

/** Put at the beginning of a statement that may legitimately take minutes, because it changes the schema or waits for a process. */
export const withoutDeadline = sql.raw(withoutDeadlineMark)

/**
 * Put before `prepared` in a statement that is the whole transaction: its rows are returned while the transaction is committed, which
 * waits for the disk. Whatever follows from the rows must be undone if `commitOf(rows)` rejects, so the statement must not wake anyone
 * (`wakes`). The embedded store ignores the mark.
 */
export const answeredEarly = sql.raw(answeredEarlyMark)

const commits = new WeakMap<object, Promise<void>>()

/** Settles when the transaction that returned these rows is committed, or fails. Undefined if it was committed before they were returned. */
export const commitOf = (rows: object): Promise<void> | undefined => commits.get(rows)

export function noteCommit(rows: object, commit: Promise<void>): void {
  commits.set(rows, commit)
}
