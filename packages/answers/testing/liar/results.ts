import type { Field } from '../../src/field.ts'
import type { StoredResult } from '../../src/draft.ts'
import { keys, measures, places } from './lists.ts'
import type { Random } from './random.ts'

/** A generated result: places, maybe months, and two or three measures. All its numbers differ. */
export interface MadeUp {
  result: StoredResult
  key: string
  labels: string[]
  measures: string[]
  /** First days of months, if it has them. */
  months: string[]
  /** A where that selects one row. */
  where: (label: string, month?: string) => string
  valueOf: (measure: string, label: string, month?: string) => number
}

const monthNames = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December']

export const monthName = (month: string): string => `${monthNames[Number(month.slice(5, 7)) - 1]} ${month.slice(0, 4)}`

export function makeUp(random: Random): MadeUp {
  const key = random.pick(keys)
  const labels = random.sample(places, 3 + random.below(5))
  const names = random.sample(measures, 2 + random.below(2))
  const firstMonth = random.below(8)
  const months = random.below(2) === 0 ? [] : Array.from({ length: 4 }, (_, at) => `2025-${String(firstMonth + at + 1).padStart(2, '0')}-01`)
  const used = new Set<number>()
  const number = () => {
    let made = 1000 + random.below(900_000)
    while (used.has(made)) made++
    used.add(made)
    return made
  }
  const fields: Field[] = [
    ...(months.length > 0 ? [{ name: 'month', type: 'date' } as const] : []),
    { name: key, type: 'string' },
    ...names.map((name): Field => ({ name, type: 'integer' })),
  ]
  const values = new Map<string, number>()
  const rows: unknown[][] = []
  for (const month of months.length > 0 ? months : ['']) {
    for (const label of labels) {
      const numbers = names.map(() => number())
      for (const [at, name] of names.entries()) values.set(`${name} ${label} ${month}`, numbers[at]!)
      rows.push([...(month === '' ? [] : [month]), label, ...numbers])
    }
  }
  return {
    result: { runId: 'run_1', fields, rows, parameters: {}, title: null },
    key,
    labels,
    measures: names,
    months,
    where: (label, month) => `${key} = '${label}'${month ? ` and month = '${month}'` : ''}`,
    valueOf: (measure, label, month = '') => values.get(`${measure} ${label} ${month}`)!,
  }
}
