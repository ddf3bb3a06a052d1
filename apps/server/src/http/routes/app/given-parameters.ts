import { type Static, Type } from 'typebox'
import { type ParameterDefinition, parameterTypes } from '../../../model/parameter.ts'
import { closed, oneOf } from '../../schemas.ts'

/** Definitions as they may be given: the name and the type say the most. */
export const GivenParameters = Type.Array(
  Type.Object(
    {
      name: Type.String(),
      type: oneOf(parameterTypes),
      displayName: Type.Optional(Type.String()),
      defaultValue: Type.Optional(Type.String()),
      description: Type.Optional(Type.String()),
    },
    closed,
  ),
  { maxItems: 100 },
)

/** Puts in what may be left out. */
export function completeParameters(given: Static<typeof GivenParameters>): ParameterDefinition[] {
  return given.map(({ name, type, displayName = name, defaultValue = '', description = '' }) => ({
    name,
    displayName,
    type,
    defaultValue,
    description,
  }))
}
