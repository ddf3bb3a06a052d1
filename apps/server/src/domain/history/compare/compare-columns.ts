import type { Field, FieldType } from '../../../model/result.ts'

export interface ColumnChanges {
  added: Field[]
  removed: Field[]
  /** Columns with another type. */
  changed: { name: string; before: FieldType; after: FieldType }[]
  /** Whether columns that both have are in another order. */
  isReordered: boolean
}

/** A column of both results. */
export interface SharedColumn {
  name: string
  type: FieldType
  /** Its indexes. */
  from: number
  to: number
}

/** Matches columns by name. Of several with the same name, the first matches the first, and so on. */
export function compareColumns(from: Field[], to: Field[]): { shared: SharedColumn[]; columns: ColumnChanges } {
  const unmatched = new Map<string, number[]>()
  for (const [index, { name }] of to.entries()) unmatched.set(name, [...(unmatched.get(name) ?? []), index])
  const shared: SharedColumn[] = []
  const removed: Field[] = []
  for (const [index, field] of from.entries()) {
    const match = unmatched.get(field.name)?.shift()
    if (match === undefined) removed.push(field)
    else shared.push({ name: field.name, type: to[match]!.type, from: index, to: match })
  }
  const matched = new Set(shared.map(({ to: index }) => index))
  return {
    shared,
    columns: {
      added: to.filter((_, index) => !matched.has(index)),
      removed,
      changed: shared.flatMap(({ name, from: index, type: after }) => {
        const before = from[index]!.type
        return before === after ? [] : [{ name, before, after }]
      }),
      isReordered: shared.some(({ to: index }, place) => place > 0 && index < shared[place - 1]!.to),
    },
  }
}

/** Types whose values name things. Measures and documents may be unique by chance. */
const keyTypes: ReadonlySet<FieldType> = new Set(['integer', 'string', 'date', 'timestamp', 'boolean'])

/** The columns among which a key is looked for, as positions in `shared`. */
export const keyCandidates = (shared: SharedColumn[]): number[] =>
  [...shared.entries()].filter(([, { type }]) => keyTypes.has(type)).map(([position]) => position)
