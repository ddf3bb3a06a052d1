/** A column of a result and the type of its values. Large integers and all decimals are text. */
export interface Field {
  name: string
  type: FieldType
}

export type FieldType = 'integer' | 'number' | 'decimal' | 'string' | 'boolean' | 'date' | 'timestamp' | 'json'

export const isNumeric = ({ type }: Field) => type === 'integer' || type === 'number' || type === 'decimal'
export const isTime = ({ type }: Field) => type === 'date' || type === 'timestamp'

/** A position on an axis. Null if there is none: only zero is drawn as zero. */
export function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'string' || !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value)) return null
  const number = Number(value)
  return Number.isFinite(number) ? number : null
}

/** Milliseconds since 1970. Dates start at midnight UTC; timestamps are UTC. */
export function timeOf(value: unknown): number | null {
  if (typeof value !== 'string' || !/^[+-]?\d{4,6}-\d\d-\d\d/.test(value)) return null
  const time = Date.parse(value)
  return Number.isNaN(time) ? null : time
}

/** The reverse of `timeOf`: a time as results write it. */
export function timeText({ type }: Pick<Field, 'type'>, timeMs: number): string {
  const text = new Date(timeMs).toISOString()
  return type === 'date' ? text.slice(0, 10) : text
}

/** A value as text, without loss. */
export function textOf({ type }: Pick<Field, 'type'>, value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (type === 'timestamp' && typeof value === 'string') return value.replace('T', ' ').replace(/(\.0+)?Z$/, '')
  return typeof value === 'string' && type !== 'json' ? value : JSON.stringify(value)
}
