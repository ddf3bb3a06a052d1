import { type Column, type Condition, type Operand, readTime } from '@querypost/answers'
import { rememberedTextLength } from '../../../model/observation.ts'

/**
 * Figures of a digest as operands of the expression language, from which their proof computes them again. An operand is null where
 * that is not possible: long names and keys are truncated when they are read, and expressions compare times by milliseconds.
 */
export type Place = Operand | null

/** The run that an operand takes its rows from; null for the run of the digest, undefined if it cannot be proven. */
export type RunOf = string | null | undefined

/** Names the digest's own run in conditions on another one, until its id is written. */
export const thisRun = 'this'

const operand = (kind: Operand['kind'], column: string | null, rest: Partial<Operand> = {}): Operand => ({
  kind,
  column,
  isDistinct: false,
  by: [],
  conditions: [],
  source: null,
  ...rest,
})

export const rowsOperand = (run: RunOf): Place => (run === undefined ? null : operand('rows', null, { source: run }))

export function totalOperand(column: Column, run: RunOf): Place {
  return run === undefined || !isExactName(column) ? null : operand('sum', column.name, { source: run })
}

/** The value of the rows that meet the conditions: their sum, or for a level, which is not added up, that of the only row. */
export function valueOperand(column: Column, { conditions, run }: { conditions: Condition[] | null; run: RunOf }): Place {
  if (run === undefined || conditions === null || !isExactName(column)) return null
  return operand(column.role === 'level' ? 'value' : 'sum', column.name, { conditions, source: run })
}

/** The median over rows, or over the sums of groups. */
export function medianOperand(column: Column, { conditions, by }: { conditions: Condition[] | null; by: Column[] }): Place {
  if (conditions === null || ![column, ...by].every(isExactName)) return null
  return operand('median', column.name, { conditions, by: by.map(({ name }) => name) })
}

/** How many keys are in one run and not in the other, without some of them. */
export function otherKeysOperand(
  column: Column,
  { run, isIn, without }: { run: RunOf; isIn: string | undefined; without: (string | null)[] },
): Place {
  const excluded = without.map((key) => literalOf(key))
  if (run === undefined || isIn === undefined || !isExactName(column) || !excluded.every((literal) => literal !== null)) return null
  const conditions: Condition[] = [
    { kind: 'in_source', column: column.name, source: isIn, isNegated: true },
    { kind: 'in', column: column.name, literals: excluded, isNegated: true },
  ]
  return operand('count', column.name, { isDistinct: true, conditions, source: run })
}

/** How many periods there are after one and up to another. */
export function periodsOperand(column: Column, { after, upTo }: { after: string; upTo: string }): Place {
  const bounds = [compared(column, '>', after), compared(column, '<=', upTo)]
  if (!bounds.every((condition) => condition !== null)) return null
  return operand('count', column.name, { isDistinct: true, conditions: bounds })
}

/** The conditions that a row with this key meets, and no other. */
export function conditionsOf(keys: readonly (string | null)[], columns: readonly Column[]): Condition[] | null {
  const conditions = keys.map((key, at): Condition | null => {
    const column = columns[at]!
    return key === null ? { kind: 'null', column: column.name, isNegated: false } : compared(column, '=', key)
  })
  return conditions.every((condition) => condition !== null) ? conditions : null
}

export function periodConditions(column: Column, { from, to }: { from: string; to: string }): Condition[] | null {
  const bounds = [compared(column, '>=', from), compared(column, '<=', to)]
  return bounds.every((condition) => condition !== null) ? bounds : null
}

function compared(column: Column, operator: '=' | '>' | '>=' | '<=', key: string): Condition | null {
  const literal = literalOf(key, column)
  return literal && isExactName(column) ? { kind: 'compare', column: column.name, operator, literal } : null
}

function literalOf(key: string | null, column?: Column) {
  if (key === null || key.length >= rememberedTextLength || key.includes('\ufffd') || /^(NaN|-?Infinity)$/.test(key)) return null
  if (column?.role === 'time' && (readTime(key) === undefined || /\.\d{4}/.test(key))) return null
  return { kind: /^-?\d+(\.\d+)?$/.test(key) ? ('number' as const) : ('text' as const), text: key }
}

/** Longer names are truncated when columns are read. */
const nameMaxLength = 200

const isExactName = ({ name }: Column) => name.length < nameMaxLength
