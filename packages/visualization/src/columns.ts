import { type ChartElement, everyElement, textProp } from './chart-element.ts'
import type { Field } from './fields.ts'
import { isNestedTooDeeply } from './nesting.ts'
import { pathProps } from './vocabulary.ts'

/** A column that a chart names, or a path into a JSON column: `address.city`. */
export interface Column {
  field: Field
  valueIn(row: readonly unknown[]): unknown
}

/** Undefined if the result has no such column. Whole names are compared first, because they may contain dots. */
export function findColumn(fields: readonly Field[], name: string): Column | undefined {
  const at = fields.findIndex((field) => field.name === name)
  if (at !== -1) return { field: fields[at]!, valueIn: (row) => row[at] }
  const [first, ...path] = name.split(/[.[\]]+/).map((part) => part.replaceAll(/^["']|["']$/g, ''))
  const jsonAt = fields.findIndex((field) => field.name === first && field.type === 'json')
  if (jsonAt === -1 || path.length === 0) return undefined
  const steps = path.filter((part) => part !== '')
  return { field: { name, type: 'json' }, valueIn: (row) => valueAt(parsed(row[jsonAt]), steps) }
}

/** The columns that a chart draws, or the paths into them. */
export function columnsOf(chart: ChartElement): string[] {
  const names = everyElement(chart).flatMap((part) => [...pathProps].map((prop) => textProp(part, prop)))
  return [...new Set(names.filter((name) => name !== undefined))]
}

/** Some engines return JSON as text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (isNestedTooDeeply(value)) return undefined
  try {
    return JSON.parse(value) as unknown
  } catch {
    return undefined
  }
}

/** Only own properties, never inherited ones. */
function valueAt(value: unknown, steps: string[]): unknown {
  let inner = value
  for (const step of steps) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, step)) return undefined
    inner = (inner as Record<string, unknown>)[step]
  }
  return inner
}
