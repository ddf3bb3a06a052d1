import type { ParameterDefinition, ParameterOption, ParameterValue, ParameterValues, SingleValue } from '../../model/parameter.ts'
import type { PublicParameter, Viewer } from '../../model/sharing/public-link.ts'
import { canonicalValue, checkValue } from '../parameters/check-value.ts'
import { defaultOf } from '../parameters/default-value.ts'
import { Refusal } from '../refusal.ts'

type Rights = Pick<Viewer, 'parameters' | 'lockedValues'>

/**
 * The values of an item's parameters for a viewer: locked ones first, then those the viewer chose among the allowed ones, then the
 * initial ones. Names are compared exactly, and values in canonical form, so that no spelling gets around a lock.
 */
export function valuesForViewer(definitions: readonly ParameterDefinition[], viewer: Rights, given: ParameterValues): ParameterValues {
  const changeable = new Map(changeableBy(definitions, viewer).map((parameter) => [parameter.definition.name, parameter]))
  for (const name of Object.keys(given)) {
    if (changeable.has(name)) continue
    throw new Refusal('parameter_invalid', `The parameter ${JSON.stringify(name)} cannot be changed here.`)
  }
  const values: ParameterValues = {}
  for (const parameter of changeable.values()) {
    const { name } = parameter.definition
    const value = Object.hasOwn(given, name) ? checkChosen(parameter, given[name]!) : initialValue(parameter)
    if (value !== undefined) values[name] = value
  }
  return { ...values, ...viewer.lockedValues }
}

/** A parameter that a viewer may change. `allowed` is null if any value will do. */
export interface ChangeableParameter {
  definition: ParameterDefinition
  allowed: SingleValue[] | null
}

/** Parameters that are public, still exist, and are not locked. */
export function changeableBy(definitions: readonly ParameterDefinition[], viewer: Rights): ChangeableParameter[] {
  return definitions.flatMap((definition) => {
    const shared = viewer.parameters.find(({ name }) => name === definition.name)
    if (!shared || Object.hasOwn(viewer.lockedValues, definition.name)) return []
    return { definition, allowed: allowedValues(definition, shared) }
  })
}

/**
 * The allowed values that still fit the parameter, whose type may have been changed since, and its default, which viewers see before
 * they choose anything.
 */
function allowedValues(definition: ParameterDefinition, { values }: PublicParameter): SingleValue[] | null {
  if (values === null) return null
  const fitting = values.filter((value) => canonicalValue(definition.type, value) === value)
  const initial = defaultOf(definition)
  return [...new Set([...(initial === undefined ? [] : [checkValue(definition, initial)].flat()), ...fitting])]
}

function checkChosen({ definition, allowed }: ChangeableParameter, given: ParameterValue): ParameterValue {
  const value = checkValue(definition, given)
  if (allowed === null || [value].flat().every((element) => allowed.includes(element))) return value
  throw new Refusal('parameter_invalid', `This value of the parameter "${definition.name}" is not one of its choices.`)
}

/** What the item shows before the viewer chooses: the default or, without one, the first allowed value. */
export function initialValue({ definition, allowed }: ChangeableParameter): ParameterValue | undefined {
  const value = defaultOf(definition)
  if (value !== undefined) return checkValue(definition, value)
  const first = allowed?.[0]
  return first !== undefined && definition.isList ? [first] : first
}

/** The allowed values with their labels. */
export function choicesOf({ definition, allowed }: ChangeableParameter): { value: SingleValue; label: string }[] | null {
  const labelOf = (value: SingleValue) => definition.options?.values?.find((option) => isOption(definition, option, value))?.label
  return allowed && allowed.map((value) => ({ value, label: labelOf(value) ?? String(value) }))
}

const isOption = ({ type }: ParameterDefinition, option: ParameterOption, value: SingleValue) =>
  canonicalValue(type, option.value) === value
