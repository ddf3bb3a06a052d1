import { definitionOf } from '../../engines/registry/definitions.ts'
import type { EngineKind } from '../../model/database.ts'
import { attributeNamePattern, type RowRule, type RowRuleKind, rowRuleLimits } from '../../model/row-rule.ts'
import { isParameterName } from '../parameters/placeholder.ts'
import { badInput, checkText } from '../people/check-text.ts'

const { nameCharacters, valueCharacters } = rowRuleLimits

/** The kinds of rules that a database of this kind can have. */
export const rowRuleKindsOf = (engine: EngineKind): RowRuleKind[] => ['parameter', ...(definitionOf(engine).sessionBindings ?? [])]

/** Rejects rules that could not be applied. */
export function checkRules(engine: EngineKind, rules: readonly RowRule[]): RowRule[] {
  const kinds = rowRuleKindsOf(engine)
  return rules.map((rule, at) => {
    const path = `/rules/${at}`
    if (!kinds.includes(rule.kind)) throw badInput(`${path}/kind`, `must be one of ${kinds.join(', ')} for this kind of database`)
    const isSame = (other: RowRule) => other.kind === rule.kind && other.name?.toLowerCase() === rule.name?.toLowerCase()
    if (rules.findIndex(isSame) < at) throw badInput(path, 'is for the same thing as an earlier rule')
    const { kind, automationValue } = rule
    return {
      attribute: checkAttributeName(`${path}/attribute`, rule.attribute),
      kind,
      name: checkName(`${path}/name`, rule),
      automationValue: automationValue === null ? null : checkAttributeValue(`${path}/automationValue`, automationValue),
    }
  })
}

const settingPattern = /^[a-z_][a-z0-9_]*(\.[a-z_][a-z0-9_]*)+$/i

function checkName(path: string, { kind, name }: RowRule): string | null {
  if (kind === 'parameter') {
    if (name === null || !isParameterName(name)) throw badInput(path, 'must be the name of a parameter, such as tenant')
  } else if (kind === 'setting') {
    if (name === null || name.length > nameCharacters || !settingPattern.test(name)) throw badInput(path, 'must be the name of a custom setting, such as app.tenant')
  } else if (name !== null) throw badInput(path, 'must be null for a role or a user')
  return name
}

export function checkAttributeName(path: string, name: string): string {
  if (attributeNamePattern.test(name)) return name
  throw badInput(path, `must be a name of up to ${nameCharacters} letters, digits and _.- that begins with a letter`)
}

export const checkAttributeValue = (path: string, text: string): string => checkText({ path, text, maxCharacters: valueCharacters })
