import type { Field } from '../../model/result.ts'

/**
 * Readers find columns by name, many of them without regard to case: a second `a` becomes `a_2`, one without a name
 * `column`.
 */
export function columnNames(fields: Pick<Field, 'name'>[]): string[] {
  const taken = new Set<string>()
  return fields.map(({ name: given }) => {
    const base = given || 'column'
    let name = base
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${base}_${count}`
    taken.add(name.toLowerCase())
    return name
  })
}
