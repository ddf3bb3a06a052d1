import type { Static } from 'typebox'
import { Value } from 'typebox/value'
import { Refusal } from '../domain/refusal.ts'
import type { ParameterDefinition, ParameterValues as Values } from '../model/parameter.ts'
import { type GivenParameters, ParameterValues } from './schemas/query-schemas.ts'

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

/** Reads parameter values from a query string, where they are a JSON object. */
export function readGivenValues(text = '{}'): Values {
  const message = 'must be a JSON object with a value for each parameter'
  const refusal = () => new Refusal('invalid_request', `The query parameter "values" ${message}.`, [{ path: '/values', message }])
  let values: unknown
  try {
    values = JSON.parse(text)
  } catch {
    throw refusal()
  }
  if (!Value.Check(ParameterValues, values)) throw refusal()
  return values
}
