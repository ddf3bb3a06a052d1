import { Refusal } from '../refusal.ts'

/** A period from `from` (inclusive) to `to` (exclusive), as texts that the schema has validated as ISO 8601. */
export interface PeriodInput {
  from?: string
  to?: string
}

/** `prefix` is the start of error paths: '/' for a body, empty for a query string. */
export function readPeriod(input: PeriodInput, prefix: '/' | ''): { from?: Date; to?: Date } {
  const from = input.from === undefined ? undefined : readTime(`${prefix}from`, input.from)
  const to = input.to === undefined ? undefined : readTime(`${prefix}to`, input.to)
  if (from && to && from >= to) throw badTime(`${prefix}to`, 'must be later than from')
  return { ...(from && { from }), ...(to && { to }) }
}

/** The format also allows leap seconds, which Date does not, and years that PostgreSQL writes differently. */
function readTime(path: string, text: string): Date {
  const time = new Date(text)
  if (Number.isNaN(time.getTime()) || time.getTime() < 0) {
    throw badTime(path, 'must be a time from 1970 on, such as 2026-01-31T09:00:00Z')
  }
  return time
}

function badTime(path: string, message: string): Refusal {
  return new Refusal('invalid_request', `${path.replace('/', '')} ${message}.`, [{ path, message }])
}
