import type { AccessRules, RowBindings } from '../../model/access.ts'
import type { RowBinding, RowRule } from '../../model/row-rule.ts'

/**
 * The bindings of one person, by database: each rule with the value of its attribute. Undefined without row rules. The only place where
 * attributes become bindings.
 */
export const rowBindingsOf = (rowRules: AccessRules['rowRules'], attributes: Record<string, string>): RowBindings | undefined =>
  bindAll(rowRules, (rules) => {
    const missing = rules.find(({ attribute }) => attributes[attribute] === undefined)
    return missing ? missing.attribute : textOf(rules.map(({ kind, name, attribute }) => ({ kind, name, value: attributes[attribute]! })))
  })

/** The bindings of automations, which have the values that the rules say. */
export const rowBindingsOfAutomations = (rowRules: AccessRules['rowRules']): RowBindings | undefined =>
  bindAll(rowRules, (rules) => {
    if (rules.some(({ automationValue }) => automationValue === null)) return noAutomations
    return textOf(rules.map(({ kind, name, automationValue }) => ({ kind, name, value: automationValue! })))
  })

/** Stands for the bindings of automations where a rule has no value for them. */
const noAutomations = ''

function bindAll(rowRules: AccessRules['rowRules'], bind: (rules: RowRule[]) => string): RowBindings | undefined {
  if (rowRules.length === 0) return undefined
  return Object.fromEntries(rowRules.map(({ databaseId, rules }) => [databaseId, bind(rules)]))
}

/** The same text for the same bindings, whatever the order of the rules. */
function textOf(bindings: RowBinding[]): string {
  const entries = bindings.map(({ kind, name, value }) => JSON.stringify([kind, name, value]))
  return `[${entries.toSorted((a, b) => (a < b ? -1 : Number(a > b))).join(',')}]`
}

/** What the text of bindings says: the bindings, or which attribute is missing (null: a value for automations). */
export function readBindings(text: string): RowBinding[] | { missing: string | null } {
  if (!text.startsWith('[')) return { missing: text === noAutomations ? null : text }
  const entries = JSON.parse(text) as [RowBinding['kind'], string | null, string][]
  return entries.map(([kind, name, value]) => ({ kind, name, value }))
}

/** Whether bindings were made by these rules. They were not if the rules have changed since. */
export const areOfRules = (bindings: readonly RowBinding[], rules: readonly RowRule[]): boolean => namesOf(bindings) === namesOf(rules)

const namesOf = (each: readonly Pick<RowRule, 'kind' | 'name'>[]) => each.map(({ kind, name }) => JSON.stringify([kind, name])).toSorted().join()
