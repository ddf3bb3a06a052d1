import { type ResultRows, valuesIn } from './column-roles.ts'
import { findCountry } from './countries/countries.ts'
import type { Field } from './fields.ts'

/** Whether a column names countries: at least half of its different values, one of which is on the map. */
export function isCountryColumn(result: ResultRows, column: Field): boolean {
  if (column.type !== 'string') return false
  const names = [...new Set(valuesIn(result, column))].filter((value) => typeof value === 'string')
  const countries = names.map(findCountry).filter((country) => country !== undefined)
  return countries.length * 2 >= names.length && countries.some(({ isOnMap }) => isOnMap)
}
