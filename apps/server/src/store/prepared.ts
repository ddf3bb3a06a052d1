import { sql } from 'kysely'

/** Marks of statements that the connection treats in their own way (postgres-client.ts); to the database they are comments. */
export const preparedMark = '/* prepared */'
export const withoutDeadlineMark = '/* takes its time */'

/**
 * Stands at the beginning of a statement that runs all the time: a server then plans it once a connection, and not at every
 * execution, which for the longer ones takes as long as carrying them out. Its text must always be the same; what differs goes
 * into parameters.
 */
export const prepared = sql.raw(preparedMark)

/** Stands at the beginning of a statement that may rightly take minutes: it changes the schema, or waits for another process. */
export const withoutDeadline = sql.raw(withoutDeadlineMark)
