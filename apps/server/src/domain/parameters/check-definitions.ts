import { Refusal, type RefusalDetail } from '../refusal.ts'
import { canonicalValue, whatFits } from './check-value.ts'
import { listMaxLength, parameterTypes, type ParameterDefinition, type ParameterType } from '../../model/parameter.ts'
import { optionFaults } from './option-faults.ts'
import { isParameterName, nameMaxLength } from './placeholder.ts'

const definitionsMaxCount = 100
const maxLengths = { displayName: 200, defaultValue: 10_000, description: 2_000 } as const

/** Reports all errors at once; paths refer to a body with the definitions under `parameters`. */
export function checkDefinitions(definitions: readonly ParameterDefinition[]): ParameterDefinition[] {
  const details = faultsOfDefinitions(definitions)
  if (details.length === 0) return [...definitions]
  const first = details[0]!
  throw new Refusal(
    'invalid_request',
    `The parameter definitions are not valid: ${first.path} ${first.message}. Correct them and send the request again.`,
    details,
  )
}

/** Everything that is wrong with the definitions. */
export function faultsOfDefinitions(definitions: readonly ParameterDefinition[]): RefusalDetail[] {
  return definitions.length > definitionsMaxCount
    ? [{ path: '/parameters', message: `has more than ${definitionsMaxCount} parameters` }]
    : definitions.flatMap((definition, index) => faultsOf(definition, index, definitions))
}

function faultsOf(
  definition: ParameterDefinition,
  index: number,
  definitions: readonly ParameterDefinition[],
): RefusalDetail[] {
  const faults: RefusalDetail[] = []
  const fault = (field: keyof ParameterDefinition, message: string) =>
    faults.push({ path: `/parameters/${index}/${field}`, message })

  const { name, type, defaultValue, isList = false } = definition
  if (!isParameterName(name)) {
    fault('name', `must be a letter or underscore, then letters, digits or underscores, at most ${nameMaxLength} in all`)
  } else if (definitions.findIndex((other) => other.name === name) < index) {
    fault('name', `repeats the name "${name}"`)
  }
  for (const field of ['displayName', 'defaultValue', 'description'] as const) {
    const text = definition[field]
    if (text.length > maxLengths[field]) fault(field, `is longer than ${maxLengths[field]} characters`)
    else if (canonicalValue('text', text) === undefined) fault(field, 'has a NUL character or an unpaired surrogate')
  }
  if (!parameterTypes.includes(type)) {
    fault('type', `must be one of ${parameterTypes.join(', ')}`)
    return faults
  }
  if (isList && type === 'dateRange') fault('isList', 'must be left out: there are no lists of date ranges')
  else if (isList) {
    const problem = defaultValue === '' ? undefined : listDefaultProblem(type, defaultValue)
    if (problem !== undefined) fault('defaultValue', problem)
  } else if (type !== 'text' && defaultValue !== '' && canonicalValue(type, defaultValue) === undefined) {
    fault('defaultValue', `does not fit the type ${type}: ${whatFits[type]}`)
  }
  return [...faults, ...optionFaults(definition, index, definitions)]
}

function listDefaultProblem(type: ParameterType, defaultValue: string): string | undefined {
  const elements = readJson(defaultValue)
  if (!Array.isArray(elements)) return 'must be a JSON array such as ["a","b"], because the parameter is a list'
  if (elements.length > listMaxLength) return `has more than ${listMaxLength} elements`
  const unfit = elements.findIndex((element) => canonicalValue(type, element) === undefined)
  return unfit === -1 ? undefined : `has an element ${unfit + 1} that does not fit the type ${type}: ${whatFits[type]}`
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
