import { embeddedEngine } from '../registry/definitions.ts'
import { readTokens } from './sql-tokens.ts'

const volatileWords = new Set([
  'age', 'current_date', 'current_localtime', 'current_localtimestamp', 'current_time', 'current_timestamp', 'gen_random_uuid',
  'get_current_time', 'get_current_timestamp', 'localtime', 'localtimestamp', 'now', 'random', 'reservoir', 'sample', 'tablesample', 'today',
  'transaction_timestamp', 'uuid', 'uuidv4', 'uuidv7',
])

/** Whether DuckDB may return other rows when it runs the same SQL on the same tables again: it reads the time, or chance. */
export const isVolatile = (sql: string): boolean =>
  readTokens(sql, embeddedEngine).some(({ kind, text }) => kind === 'unclear' || (kind === 'word' && volatileWords.has(text)))
