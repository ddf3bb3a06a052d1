import { readColumns } from '@querypost/answers'
import type { FieldType } from '../../../model/result.ts'
import { Refusal } from '../../refusal.ts'
import type { SharedColumn } from '../compare/compare-columns.ts'

/** A number that is explained: the sum of a column or, with a denominator, the quotient of two sums. */
export interface Measure {
  column: string
  denominator: string | null
}

/** What people may ask for; without a choice, all columns that can be added up are explained. */
export interface MeasureChoice {
  measure?: string | undefined
  denominator?: string | undefined
}

/** Of wide results, the first ones. */
const measuresMax = 5
const dimensionsMax = 8

const numberTypes: ReadonlySet<FieldType> = new Set(['integer', 'number', 'decimal'])
const dimensionTypes: ReadonlySet<FieldType> = new Set(['string', 'date', 'timestamp', 'boolean'])

export function chooseMeasures(shared: SharedColumn[], { measure, denominator }: MeasureChoice): Measure[] {
  if (denominator !== undefined && measure === undefined) {
    throw new Refusal('invalid_request', 'A denominator needs a measure, which is divided by it.', [{ path: 'measure', message: 'is missing' }])
  }
  if (measure !== undefined) {
    requireNumbers(shared, measure, 'measure')
    if (denominator !== undefined) requireNumbers(shared, denominator, 'denominator')
    return [{ column: measure, denominator: denominator ?? null }]
  }
  // Rates, averages and identifiers are numbers, but their sum means nothing.
  const additive = readColumns(shared).filter(({ role }) => role === 'measure')
  return additive.slice(0, measuresMax).map(({ index }) => ({ column: shared[index]!.name, denominator: null }))
}

/** The columns by whose values a difference is split, as positions in `shared`. */
export const chooseDimensions = (shared: SharedColumn[]): number[] =>
  [...shared.entries()].filter(([, { type }]) => dimensionTypes.has(type)).map(([position]) => position).slice(0, dimensionsMax)

export const findNumberColumns = (shared: SharedColumn[]): string[] => shared.flatMap(({ name, type }) => (numberTypes.has(type) ? [name] : []))

function requireNumbers(shared: SharedColumn[], name: string, path: 'measure' | 'denominator'): void {
  const column = shared.find((each) => each.name === name)
  if (!column) throw measureInvalid(`The column ${JSON.stringify(name)} is not in both results.`, path, 'is not in both results')
  if (!numberTypes.has(column.type)) {
    throw measureInvalid(`The column ${JSON.stringify(name)} has no numbers: its type is ${column.type}.`, path, `is of the type ${column.type}`)
  }
}

export const measureInvalid = (message: string, path: 'measure' | 'denominator', fault: string) =>
  new Refusal('measure_invalid', message, [{ path, message: fault }])
