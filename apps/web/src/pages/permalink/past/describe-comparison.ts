import type { ResultComparison } from '../../../api/result-history.ts'

/** Which key was used, and how it was found. */
export function describeKey({ keyColumns, keyChoice, isKeyUnique }: Pick<ResultComparison, 'keyColumns' | 'keyChoice' | 'isKeyUnique'>): string {
  if (keyChoice === 'all_columns') return 'No columns identify a row, so whole rows are compared.'
  const names = keyColumns.map((name) => `“${name}”`).join(', ')
  const repeated = isKeyUnique ? '' : ' Some of its values occur several times.'
  return `Rows are matched by ${names}, ${keyChoice === 'chosen' ? 'which you chose' : 'which is unique in both results'}.${repeated}`
}

export function describeColumns({ added, removed, changed, isReordered }: ResultComparison['columns']): string[] {
  const lines = [
    ...added.map(({ name, type }) => `Column “${name}” (${type}) was added.`),
    ...removed.map(({ name, type }) => `Column “${name}” (${type}) was removed.`),
    ...changed.map(({ name, before, after }) => `Column “${name}” changed its type from ${before} to ${after}.`),
  ]
  return isReordered ? [...lines, 'The columns are in another order.'] : lines
}

export const textOfValue = (value: unknown): string => (value === null ? 'null' : typeof value === 'string' ? value : JSON.stringify(value))

/** A number with its sign and thousands separators. Every digit stays. */
export function signed(number: string): string {
  const [, minus = '', whole = '', fraction = ''] = /^(-?)(\d+)(\.\d+)?$/.exec(number) ?? [null, '', number, '']
  const text = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',') + fraction
  return minus ? `−${text}` : number === '0' ? text : `+${text}`
}

/** A number with thousands separators. */
export const grouped = (number: string): string => signed(number).replace('+', '')
