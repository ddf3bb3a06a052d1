import type { Field } from '../../model/result.ts'

/**
 * Makes column names unique, ignoring case, because readers find columns by name and many ignore case: a second `a` becomes
 * `a_2`. A column without a name becomes `column`.
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
