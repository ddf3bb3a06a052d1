import { sql } from 'kysely'

/** Marks for statements that the connection handles specially (postgres-client.ts). To the database they are comments. */
export const preparedMark = '/* prepared */'
export const withoutDeadlineMark = '/* no deadline */'

/**
 * Put at the beginning of a frequent statement: the server then plans it once per connection instead of on every execution, which
 * for longer statements takes as long as running them. The text must always be the same; anything that varies must be a parameter.
 */
export const prepared = sql.raw(preparedMark)

/** Put at the beginning of a statement that may legitimately take minutes, because it changes the schema or waits for a process. */
export const withoutDeadline = sql.raw(withoutDeadlineMark)
