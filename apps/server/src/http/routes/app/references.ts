import { type Static, Type } from 'typebox'
import { parameterTypes } from '../../../domain/parameters/parameter.ts'
import { descriptionMaxLength, titleMaxLength } from '../../../domain/references/reference.ts'
import {
  createReference,
  deleteReference,
  editReference,
  getReference,
  listReferences,
  reserveReference,
} from '../../../domain/references/references.ts'
import { visualizationTypes } from '../../../domain/references/visualization.ts'
import { runReference } from '../../../domain/runs/start-run.ts'
import type { Services } from '../../../services.ts'
import { callerOf } from '../../authenticate.ts'
import { optionalBody } from '../../body-parsers.ts'
import { presentDeletedReference, presentReference, presentReferenceInFull, presentRunInFull } from '../../present.ts'
import { closed, nullable, oneOf, PageQuery, Uuid } from '../../schemas.ts'
import type { Api } from '../../typed.ts'
import { ParameterValues } from './queries.ts'

const Params = Type.Object({ shortId: Type.String() })

/** A definition as it may be given: its name and type say the most. */
const GivenParameter = Type.Object(
  {
    name: Type.String(),
    type: oneOf(parameterTypes),
    displayName: Type.Optional(Type.String()),
    defaultValue: Type.Optional(Type.String()),
    description: Type.Optional(Type.String()),
  },
  closed,
)

const Margin = Type.Optional(Type.Number())
const GivenVisualization = Type.Object(
  {
    type: oneOf(visualizationTypes),
    jsxConfig: Type.Optional(Type.String()),
    marginConfig: Type.Optional(Type.Object({ top: Margin, right: Margin, bottom: Margin, left: Margin }, closed)),
  },
  closed,
)

const content = {
  title: Type.Optional(Type.String({ minLength: 1, maxLength: titleMaxLength })),
  description: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: descriptionMaxLength }),
  ),
  visualization: Type.Optional(nullable(GivenVisualization)),
  parameters: Type.Optional(Type.Array(GivenParameter, { maxItems: 100 })),
}

interface Given {
  visualization?: Static<typeof GivenVisualization> | null
  parameters?: Static<typeof GivenParameter>[]
}

/** Puts in what may be left out. */
function completed<Body extends Given>({ visualization, parameters, ...rest }: Body) {
  return {
    ...rest,
    ...(visualization !== undefined && {
      visualization: visualization && {
        jsxConfig: '',
        ...visualization,
        marginConfig: { top: 0, right: 0, bottom: 0, left: 0, ...visualization.marginConfig },
      },
    }),
    ...(parameters && {
      parameters: parameters.map(({ name, type, displayName = name, defaultValue = '', description = '' }) => ({
        name,
        displayName,
        type,
        defaultValue,
        description,
      })),
    }),
  }
}

/** Query references as the pages use them: they may also change the SQL, the chart and the parameters. */
export function appReferenceRoutes(api: Api, services: Services): void {
  api.get('/app/api/references', { schema: { querystring: PageQuery } }, async (request) => {
    const page = await listReferences(services, callerOf(request), request.query)
    return { ...page, items: page.items.map(presentReference) }
  })

  api.post(
    '/app/api/references',
    {
      schema: {
        // Without a query it reserves a permalink: an optimistic reference.
        body: Type.Object({ queryId: Type.Optional(Uuid), ...content }, closed),
      },
    },
    async (request, reply) => {
      const { queryId, ...given } = completed(request.body)
      const reference =
        queryId === undefined
          ? await reserveReference(services, callerOf(request), given)
          : await createReference(services, callerOf(request), { queryId, ...given })
      return reply.code(201).send(presentReferenceInFull(reference))
    },
  )

  api.get('/app/api/references/:shortId', { schema: { params: Params } }, async (request) =>
    presentReferenceInFull(await getReference(services, callerOf(request), request.params.shortId)),
  )

  api.patch(
    '/app/api/references/:shortId',
    {
      schema: {
        params: Params,
        body: Type.Object(
          {
            ...content,
            sql: Type.Optional(Type.String()),
            analyticalDatabaseConfigId: Type.Optional(Type.String()),
          },
          closed,
        ),
      },
    },
    async (request) =>
      presentReferenceInFull(await editReference(services, callerOf(request), request.params.shortId, completed(request.body))),
  )

  api.delete('/app/api/references/:shortId', { schema: { params: Params } }, async (request) =>
    presentDeletedReference(await deleteReference(services, callerOf(request), request.params.shortId)),
  )

  api.post(
    '/app/api/references/:shortId/runs',
    {
      ...optionalBody,
      schema: { params: Params, body: Type.Object({ parameterValues: Type.Optional(ParameterValues) }, closed) },
    },
    async (request, reply) => {
      const run = await runReference(services, callerOf(request), { ...request.params, ...request.body })
      return reply.code(202).send(presentRunInFull(run))
    },
  )
}
