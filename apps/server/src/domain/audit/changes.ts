import { isDeepStrictEqual } from 'node:util'
import { shortened } from '../shortened.ts'
import type { AuditDetails, AuditValue } from '../../model/audit-record.ts'

/** Enough to see what changed; the full text is in the object itself. */
export const textMaxCharacters = 500

/**
 * The differences between two states of an object, field by field. Only fields present in `after` are compared, so that an edit
 * records only what was requested.
 */
export function changesOf(before: object, after: object): NonNullable<AuditDetails['changes']> {
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>]
  const changed = Object.keys(now).filter((key) => now[key] !== undefined && !isDeepStrictEqual(old[key], now[key]))
  return Object.fromEntries(changed.map((key) => [key, { before: auditValue(old[key]), after: auditValue(now[key]) }]))
}

/** A value as it is stored in a record. */
export function auditValue(value: unknown): AuditValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return shortened(value, textMaxCharacters)
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(auditValue)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, auditValue(inner)]))
}

/** The URL without parts that may be secret: credentials and the query string. */
export function redactUrl(text: string): string {
  if (!URL.canParse(text)) return shortened(text.replace(/[?#].*$/s, ''), textMaxCharacters)
  const url = new URL(text)
  return shortened(`${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`, textMaxCharacters)
}
