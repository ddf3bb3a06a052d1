import type { Tile } from '../../model/board.ts'
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
 * The parameter that a click on a tile sets, if the viewer may change it. A tile may open a board instead: viewers see no other board,
 * but the board that they see with another value is the same as a filter.
 */
export function clickFilterOf(
  { filters, opens }: Pick<Tile, 'filters' | 'opens'>,
  definitions: readonly ParameterDefinition[],
  viewer: Rights & Pick<Viewer, 'kind' | 'shortId'>,
): { column: string; parameter: string } | undefined {
  const isSameBoard = opens !== undefined && viewer.kind === 'board' && opens.boardShortId === viewer.shortId
  const click = filters ?? (isSameBoard ? opens : undefined)
  if (!click || !changeableBy(definitions, viewer).some(({ definition }) => definition.name === click.parameter)) return undefined
  return { column: click.column, parameter: click.parameter }
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

/** The values that the page offers, with their labels. Null for a field that takes any value. */
export function choicesOf({ definition, allowed }: ChangeableParameter): { value: SingleValue; label: string }[] | null {
  const labelOf = (value: SingleValue) => definition.options?.values?.find((option) => isOption(definition, option, value))?.label
  const values = allowed ?? optionsOf(definition)
  return values && values.map((value) => ({ value, label: labelOf(value) ?? String(value) }))
}

/** The options that people choose from in the app, and the default. */
function optionsOf(definition: ParameterDefinition): SingleValue[] | null {
  const options = (definition.options?.values ?? []).flatMap(({ value }) => canonicalValue(definition.type, value) ?? [])
  const initial = defaultOf(definition)
  return options.length === 0 ? null : [...new Set([...(initial === undefined ? [] : [checkValue(definition, initial)].flat()), ...options])]
}

const isOption = ({ type }: ParameterDefinition, option: ParameterOption, value: SingleValue) =>
  canonicalValue(type, option.value) === value
