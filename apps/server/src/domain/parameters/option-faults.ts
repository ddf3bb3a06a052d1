import type { RefusalDetail } from '../refusal.ts'
import type { ParameterDefinition } from '../../model/parameter.ts'
import { canonicalValue, whatFits } from './check-value.ts'
import { isParameterName } from './placeholder.ts'

const optionsMaxCount = 1000
const dependenciesMaxCount = 10
const labelMaxLength = 200
const valueMaxLength = 10_000
const columnMaxLength = 200

/**
 * What is wrong with the options of a parameter. Whether their reference exists is seen when they are read. They may depend on a
 * parameter that does not exist, or removing a parameter would make others invalid.
 */
export function optionFaults(
  { name, type, options }: ParameterDefinition,
  index: number,
  definitions: readonly ParameterDefinition[],
): RefusalDetail[] {
  if (!options) return []
  const faults: RefusalDetail[] = []
  const fault = (place: string, message: string) => faults.push({ path: `/parameters/${index}/options${place}`, message })
  const { values, referenceShortId, valueColumn, labelColumn, dependsOn = [] } = options
  if (type === 'dateRange') fault('', 'must be left out: a date range has no options')
  if ((values === undefined) === (referenceShortId === undefined)) fault('', 'must have either values or referenceShortId')
  if (values) {
    if (values.length > optionsMaxCount) fault('/values', `has more than ${optionsMaxCount} values`)
    for (const [at, { value, label = '' }] of values.slice(0, optionsMaxCount).entries()) {
      if (value.length > valueMaxLength) fault(`/values/${at}/value`, `is longer than ${valueMaxLength} characters`)
      else if (type !== 'dateRange' && canonicalValue(type, value) === undefined) {
        fault(`/values/${at}/value`, `does not fit the type ${type}: ${whatFits[type]}`)
      }
      if (label.length > labelMaxLength) fault(`/values/${at}/label`, `is longer than ${labelMaxLength} characters`)
      else if (canonicalValue('text', label) === undefined) fault(`/values/${at}/label`, unstorable)
    }
    for (const field of ['valueColumn', 'labelColumn', 'dependsOn'] as const) {
      if (options[field] !== undefined) fault(`/${field}`, 'must be left out: it belongs to a reference')
    }
    return faults
  }
  if (referenceShortId !== undefined && !/^\w{1,100}$/.test(referenceShortId)) {
    fault('/referenceShortId', 'must be the short id of a reference')
  }
  if (referenceShortId !== undefined && valueColumn === undefined) fault('/valueColumn', 'must name a column of the reference')
  for (const [field, column] of Object.entries({ valueColumn, labelColumn })) {
    if (column === '') fault(`/${field}`, 'must not be empty')
    else if (column !== undefined && column.length > columnMaxLength) fault(`/${field}`, `is longer than ${columnMaxLength} characters`)
    else if (column !== undefined && canonicalValue('text', column) === undefined) fault(`/${field}`, unstorable)
  }
  if (dependsOn.length > dependenciesMaxCount) fault('/dependsOn', `has more than ${dependenciesMaxCount} names`)
  for (const [at, other] of dependsOn.slice(0, dependenciesMaxCount).entries()) {
    if (other === name) fault(`/dependsOn/${at}`, 'names the parameter itself')
    else if (!isParameterName(other)) fault(`/dependsOn/${at}`, `is not the name of a parameter: ${JSON.stringify(other.slice(0, 100))}`)
    else if (dependsOn.indexOf(other) < at) fault(`/dependsOn/${at}`, `repeats the name "${other}"`)
    else if (reaches(other, name, definitions)) {
      fault(`/dependsOn/${at}`, `makes a circle: the options of "${other}" depend on "${name}"`)
    }
  }
  return faults
}

const unstorable = 'has a NUL character or an unpaired surrogate'

/** Whether the options of `from` depend on `target`, directly or through others. */
function reaches(from: string, target: string, definitions: readonly ParameterDefinition[]): boolean {
  const seen = new Set<string>()
  const open = [from]
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    if (name === target) return true
    if (seen.has(name)) continue
    seen.add(name)
    open.push(...(definitions.find((definition) => definition.name === name)?.options?.dependsOn ?? []))
  }
  return false
}
