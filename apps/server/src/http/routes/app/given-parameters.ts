import type { Static } from 'typebox'
import type { ParameterDefinition } from '../../../model/parameter.ts'
import type { GivenParameters } from '../../schemas/query-schemas.ts'

/** Fills in defaults for omitted fields. */
export function completeParameters(given: Static<typeof GivenParameters>): ParameterDefinition[] {
  return given.map(({ name, type, displayName = name, defaultValue = '', description = '', isList = false, options }) => ({
    name,
    displayName,
    type,
    defaultValue,
    description,
    ...(isList && { isList }),
    ...(options && { options }),
  }))
}
