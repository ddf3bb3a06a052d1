import type { ParameterDefinition } from '../../../model/parameter.ts'
import type { Run } from '../../../model/run.ts'
import { checkValue } from '../../parameters/check-value.ts'
import { defaultOf } from '../../parameters/default-value.ts'

/**
 * Whether a result was computed with the defaults of all parameters. Results with other values answer another question, so an alert
 * compares none of them.
 */
export function hasDefaultValues({ parameterValues }: Pick<Run, 'parameterValues'>, definitions: readonly ParameterDefinition[]): boolean {
  return Object.entries(parameterValues).every(([name, value]) => {
    const definition = definitions.find((each) => each.name === name)
    const byDefault = definition && defaultOf(definition)
    return byDefault !== undefined && JSON.stringify(value) === JSON.stringify(checkValue(definition!, byDefault))
  })
}
