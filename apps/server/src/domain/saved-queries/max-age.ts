import type { RefValue } from '../../engines/lineage/ref-calls.ts'
import { Refusal } from '../refusal.ts'

const unitMs: Record<string, number> = { second: 1000, minute: 60_000, hour: 3600_000, day: 24 * 3600_000 }

/** `15 minutes` in milliseconds. */
export function readMaxAge(value: RefValue): number {
  const found = typeof value === 'string' ? /^(\d{1,6}) (second|minute|hour|day)s?$/.exec(value.trim()) : null
  if (!found) throw new Refusal('ref_invalid', `The max_age of ref is a time such as '15 minutes', '2 hours' or '1 day', not ${JSON.stringify(value)}.`)
  return Number(found[1]) * unitMs[found[2]!]!
}
