import { isDeepStrictEqual } from 'node:util'
import { shortened } from '../shortened.ts'
import type { AuditDetails, AuditValue } from '../../model/audit-record.ts'

/** Enough to see what was changed; whoever wants to know all of it looks at the thing itself. */
export const textMaxCharacters = 500

/**
 * What differs between two states of a thing, field by field. Only fields that are named in `after` are looked at, so that an
 * edit tells of what was asked for.
 */
export function changesOf(before: object, after: object): NonNullable<AuditDetails['changes']> {
  const [old, now] = [before as Record<string, unknown>, after as Record<string, unknown>]
  const changed = Object.keys(now).filter((key) => now[key] !== undefined && !isDeepStrictEqual(old[key], now[key]))
  return Object.fromEntries(changed.map((key) => [key, { before: shown(old[key]), after: shown(now[key]) }]))
}

/** A value as it stands in a record. */
export function shown(value: unknown): AuditValue {
  if (value === undefined || value === null) return null
  if (typeof value === 'string') return shortened(value, textMaxCharacters)
  if (typeof value === 'number' || typeof value === 'boolean') return value
  if (value instanceof Date) return value.toISOString()
  if (Array.isArray(value)) return value.map(shown)
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, shown(inner)]))
}

/** A URL without what may be secret about it: who one is, and what is asked for. */
export function urlShown(text: string): string {
  if (!URL.canParse(text)) return shortened(text.replace(/[?#].*$/s, ''), textMaxCharacters)
  const url = new URL(text)
  return shortened(`${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`, textMaxCharacters)
}
