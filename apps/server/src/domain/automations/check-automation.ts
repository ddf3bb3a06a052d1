import { badInput, checkText } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import { shortIdPattern } from '../ids.ts'
import type { AgentKind } from '../../model/agent-run.ts'
import type { MuteWindow } from '../../model/alert.ts'
import type { Comparison, Condition } from '../../model/automation.ts'
import { type AlertTestInput, checkAlert } from './alerts/check-alert.ts'

/** Checks of an automation's input that need no database access. */
export const nameMaxCharacters = 200
export const instructionsMaxCharacters = 20_000
export const referencesMax = 20
export const columnMaxCharacters = 200

/** As given in a request: which fields are required depends on the kind. */
export interface ConditionInput {
  reference: string
  kind: Condition['kind']
  column?: string
  comparison?: Comparison
  number?: number
  everyTime?: boolean
  tests?: AlertTestInput[]
  muteWindows?: MuteWindow[]
}

export const checkName = (text: string) => checkText({ path: '/name', text, maxCharacters: nameMaxCharacters })

/** Unlike a name, it may have several lines. */
export function checkInstructions(given: string): string {
  const text = given.trim()
  const count = Array.from(text).length
  if (count < 1 || count > instructionsMaxCharacters) {
    throw badInput('/instructions', `must have 1 to ${instructionsMaxCharacters} characters; it has ${count}`)
  }
  return text
}

export function checkReferences(shortIds: string[]): string[] {
  if (shortIds.length > referencesMax) {
    throw badInput('/references', `must have at most ${referencesMax} references; it has ${shortIds.length}`)
  }
  for (const [index, shortId] of shortIds.entries()) {
    if (!shortIdPattern.test(shortId)) throw unknownReference(`/references/${index}`, shortId)
    if (shortIds.indexOf(shortId) < index) {
      throw badInput(`/references/${index}`, `repeats ${JSON.stringify(shortId)}; name each reference once`)
    }
  }
  return shortIds
}

/** The digest agent only reports on references. A model can explore by itself. */
export function requireReferences(agent: AgentKind, references: string[]): void {
  if (agent !== 'digest' || references.length > 0) return
  throw badInput('/references', 'must name at least one reference for the digest agent')
}

/** Fields are always in the same order, so that equal conditions are stored identically. */
export function checkCondition(input: ConditionInput): Condition {
  const { reference, kind } = input
  if (!shortIdPattern.test(reference)) throw unknownReference('/condition/reference', reference)
  if (kind === 'alert') {
    rejectExtraFields(input, ['column', 'comparison', 'number', 'everyTime'])
    return checkAlert(input)
  }
  rejectExtraFields(input, ['tests', 'muteWindows'])
  const base = { reference, ...(input.everyTime && kind !== 'changed' && { everyTime: true }) }
  if (kind === 'changed') {
    rejectExtraFields(input, ['column', 'comparison', 'number'])
    return { ...base, kind }
  }
  const comparison = required(input.comparison, 'comparison', kind)
  const number = required(input.number, 'number', kind)
  if (kind === 'row_count') {
    rejectExtraFields(input, ['column'])
    return { ...base, kind, comparison, number }
  }
  const column = required(input.column, 'column', kind)
  const count = Array.from(column).length
  if (count < 1 || count > columnMaxCharacters) {
    throw badInput('/condition/column', `must have 1 to ${columnMaxCharacters} characters; it has ${count}`)
  }
  return { ...base, kind, column, comparison, number }
}

export function unknownReference(path: string, shortId: string) {
  const name = JSON.stringify(shortId.slice(0, 100))
  const message = `names no query reference of your organization: ${name} may have been deleted`
  return new Refusal('reference_not_found', `There is no query reference ${name}. It may have been deleted.`, [{ path, message }])
}

function required<Value>(value: Value | undefined, name: string, kind: string): Value {
  if (value === undefined) throw badInput(`/condition/${name}`, `is required for a condition of kind ${kind}`)
  return value
}

function rejectExtraFields(input: ConditionInput, names: ('column' | 'comparison' | 'number' | 'everyTime' | 'tests' | 'muteWindows')[]): void {
  const given = names.find((name) => input[name] !== undefined)
  if (given) throw badInput(`/condition/${given}`, `is not allowed for a condition of kind ${input.kind}; remove it`)
}
