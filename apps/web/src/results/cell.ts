import type { Field } from '../api/first-rows.ts'

/** The exact value as text, as it is copied and exported; null for a null value. */
export function cellText(type: Field['type'], value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (type === 'timestamp' && typeof value === 'string') return value.replace('T', ' ').replace(/(\.0+)?Z$/, '')
  return typeof value === 'string' && type !== 'json' ? value : JSON.stringify(value)
}

/** Like `cellText`, with JSON pretty-printed. */
export function fullText(type: Field['type'], value: unknown): string | null {
  return type === 'json' && typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : cellText(type, value)
}

export const isNumeric = (type: Field['type']) => type === 'integer' || type === 'number' || type === 'decimal'
