import type { SettingAtFault } from '../../engines/definition.ts'
import type { EngineError } from '../../engines/engine.ts'
import { definitionOf } from '../../engines/registry/definitions.ts'
import type { Dialect } from '../../model/database.ts'
import { findRefusal } from '../../engines/server-options.ts'
import { HostFault } from './database-addresses.ts'

/**
 * Finds the setting that an engine's error is about, as the path of its field: by the error code of the driver or the database,
 * else by the message. Undefined if it could be any setting.
 */
export function settingAtFault(error: EngineError, engine: Dialect): string | undefined {
  const { place } = definitionOf(engine)
  if (place.on === 'file') return undefined
  const refusal = findRefusal(error)
  if (refusal) return pathOf[refusal.setting]
  if (error instanceof HostFault) return '/settings/host'
  for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
    const { code } = cause as { code?: unknown }
    const field = typeof code === 'string' ? (byCode[code] ?? place.faults?.[code]) : undefined
    if (field) return pathOf[field]
  }
  const field = byWords.find(([words]) => words.test(error.message))?.[1]
  return field && pathOf[field]
}

const pathOf: Record<SettingAtFault, string> = {
  host: '/settings/host',
  port: '/settings/port',
  database: '/settings/database',
  user: '/settings/user',
  password: '/password',
  tls: '/settings/tls',
}

const byCode: Record<string, SettingAtFault> = {
  ECONNREFUSED: 'port',
  EHOSTUNREACH: 'host',
  ENETUNREACH: 'host',
  ETIMEDOUT: 'host',
}

/** The first match counts: patterns for messages that quote a user's input come before those that look for a single word. */
const byWords: [RegExp, SettingAtFault][] = [
  [/^the host name\b|\bnot allowed for databases\b|\bnetworks allowed for databases\b|\bnot an ip address\b/i, 'host'],
  [/\brole .* does not exist\b|\bunknown user\b|\bthere is no user\b|\bnot permitted to log in\b/i, 'user'],
  [/\bdatabase\b.*\b(does not|doesn't) exist\b|\bunknown database\b|\bto database\b/i, 'database'],
  [/\bcertificate\b|\bself[- ]signed\b|\bssl\b|\btls\b|\bencrypt/i, 'tls'],
  [/\bpassword\b|\bauthentication\b|\baccess denied for user\b/i, 'password'],
  [/\brefused\b|\bcheck the port\b|\bclosed the connection before\b/i, 'port'],
  [/\bdid not (answer|respond)\b|\bno route to\b/i, 'host'],
]
