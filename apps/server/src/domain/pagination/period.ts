import { Refusal } from '../refusal.ts'

/** From the first moment (included) to the last (not included), as texts that a schema has found to be ISO 8601 times. */
export interface PeriodInput {
  from?: string
  to?: string
}

/** `prefix` is what the paths of faults begin with: '/' for a body, nothing for a query string. */
export function readPeriod(input: PeriodInput, prefix: '/' | ''): { from?: Date; to?: Date } {
  const from = input.from === undefined ? undefined : readTime(`${prefix}from`, input.from)
  const to = input.to === undefined ? undefined : readTime(`${prefix}to`, input.to)
  if (from && to && from >= to) throw badTime(`${prefix}to`, 'must be later than from')
  return { ...(from && { from }), ...(to && { to }) }
}

/** The format also knows leap seconds, which a Date does not, and years that PostgreSQL writes otherwise. */
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
