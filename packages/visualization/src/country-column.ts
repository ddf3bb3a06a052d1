import { type ResultRows, valuesIn } from './column-roles.ts'
import type { Field } from './fields.ts'

/** Whether a column names countries: by its own name, as far as that tells without looking up its values. */
export function isCountryColumn(result: ResultRows, column: Field): boolean {
  if (column.type !== 'string' || !/countr|nation/i.test(column.name)) return false
  return valuesIn(result, column).some((value) => typeof value === 'string' && value.trim() !== '')
}
