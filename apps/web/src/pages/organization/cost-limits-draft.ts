import type { CostLimits } from '../../api/organization.ts'

/** Limits as entered, in gigabytes; blank for none. */
export type CostLimitsDraft = Record<keyof CostLimits, string>

export const limitNames = ['perQueryBytes', 'perPersonDailyBytes', 'perOrganizationDailyBytes'] as const satisfies (keyof CostLimits)[]

const gigabyte = 1e9
const maxGigabytes = 1e6

export const draftOf = (limits: CostLimits): CostLimitsDraft =>
  mapLimits((name) => (limits[name] === null ? '' : String(limits[name] / gigabyte)))

export function readDraft(draft: CostLimitsDraft): { limits: CostLimits; faults: Partial<CostLimitsDraft> } {
  const limits = mapLimits((name) => (draft[name].trim() === '' ? null : Math.round(Number(draft[name]) * gigabyte)))
  const isWrong = (bytes: number | null) => bytes !== null && !(bytes >= 0 && bytes <= maxGigabytes * gigabyte)
  const wrong = limitNames.filter((name) => isWrong(limits[name]))
  const message = `Enter a number from 0 to ${maxGigabytes.toLocaleString('en-US')}, or leave blank.`
  return { limits, faults: Object.fromEntries(wrong.map((name) => [name, message])) }
}

const mapLimits = <Value,>(valueOf: (name: keyof CostLimits) => Value) =>
  Object.fromEntries(limitNames.map((name) => [name, valueOf(name)])) as Record<keyof CostLimits, Value>
