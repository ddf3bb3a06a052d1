import type { Static } from 'typebox'
import type { BoardChange } from './schemas/board-schemas.ts'
import { completeParameters } from './given-parameters.ts'

/** Fills in defaults for omitted fields. */
export function completeBoard<Body extends Static<typeof BoardChange>>({ parameters, ...rest }: Body) {
  return { ...rest, ...(parameters && { parameters: completeParameters(parameters) }) }
}
