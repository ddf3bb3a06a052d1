import { CommandError } from '../command.ts'

const unitMs = { s: 1000, m: 60_000, h: 3600_000, d: 86_400_000 } as const

/** Parses `10m`, `2h`, or a time. */
export function readSince(typed: string, now: Date): Date {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(typed) ?? []
  if (count !== undefined) return new Date(now.getTime() - Number(count) * unitMs[unit as keyof typeof unitMs])
  const since = new Date(/^\d{4}-\d\d-\d\d/.test(typed) ? typed : NaN)
  if (!Number.isNaN(since.getTime())) return since
  const taken = 'a duration (30s, 10m, 2h, 1d) or a time (2026-01-31T09:00:00Z)'
  throw new CommandError(2, `--since takes ${taken}, not "${typed}".`)
}
