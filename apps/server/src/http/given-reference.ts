import type { Static } from 'typebox'
import type { GivenParameters, GivenVisualization } from './schemas/query-schemas.ts'
import { completeParameters } from './given-parameters.ts'

interface Given {
  visualization?: Static<typeof GivenVisualization> | null
  parameters?: Static<typeof GivenParameters>
}

/** Fills in defaults for omitted fields. */
export function completeReference<Body extends Given>({ visualization, parameters, ...rest }: Body) {
  return {
    ...rest,
    ...(visualization !== undefined && {
      visualization: visualization && {
        jsxConfig: '',
        ...visualization,
        marginConfig: { top: 0, right: 0, bottom: 0, left: 0, ...visualization.marginConfig },
      },
    }),
    ...(parameters && { parameters: completeParameters(parameters) }),
  }
}
