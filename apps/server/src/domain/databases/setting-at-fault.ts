import type { EngineError } from '../../engines/engine.ts'
import type { Dialect } from '../../model/database.ts'
import { findRefusal } from '../../engines/server-options.ts'
import { HostFault } from './database-addresses.ts'

/**
 * Which of the settings an engine's complaint is about, as the path of that field: by the code that the driver or the database
 * gave, else by the words of the database. Undefined where it could be any.
 */
export function settingAtFault(error: EngineError, engine: Dialect): string | undefined {
  if (engine === 'duckdb') return undefined
  const refusal = findRefusal(error)
  if (refusal) return pathOf[refusal.setting]
  if (error instanceof HostFault) return '/settings/host'
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown }
    const field = typeof code === 'string' ? byCode[code] : undefined
    if (field) return pathOf[field]
  }
  const field = byWords.find(([words]) => words.test(error.message))?.[1]
  return field && pathOf[field]
}

type Field = 'host' | 'port' | 'database' | 'user' | 'password' | 'tls'

const pathOf: Record<Field, string> = {
  host: '/settings/host',
  port: '/settings/port',
  database: '/settings/database',
  user: '/settings/user',
  password: '/password',
  tls: '/settings/tls',
}

const byCode: Record<string, Field> = {
  ECONNREFUSED: 'port',
  EHOSTUNREACH: 'host',
  ENETUNREACH: 'host',
  ETIMEDOUT: 'host',
  // PostgreSQL
  '28P01': 'password',
  '3D000': 'database',
  // MySQL and MariaDB
  ER_ACCESS_DENIED_ERROR: 'password',
  ER_DBACCESS_DENIED_ERROR: 'database',
  ER_BAD_DB_ERROR: 'database',
  HANDSHAKE_NO_SSL_SUPPORT: 'tls',
  HANDSHAKE_SSL_ERROR: 'tls',
}

/** The first that fits counts: those that quote a name of the person's come before those that only look for a word. */
const byWords: [RegExp, Field][] = [
  [/^the host name\b|\bno place for a database\b|\bnetworks that the operator allows\b|\bnot an ip address\b/i, 'host'],
  [/\brole .* does not exist\b|\bunknown user\b|\bthere is no user\b|\bnot permitted to log in\b/i, 'user'],
  [/\bdatabase\b.*\b(does not|doesn't) exist\b|\bunknown database\b|\bto database\b/i, 'database'],
  [/\bcertificate\b|\bself[- ]signed\b|\bssl\b|\btls\b|\bencrypt/i, 'tls'],
  [/\bpassword\b|\bauthentication\b|\baccess denied for user\b/i, 'password'],
  [/\brefused\b|\bcheck the port\b|\bclosed the connection before\b/i, 'port'],
  [/\bdid not answer\b|\bno route to\b/i, 'host'],
]
