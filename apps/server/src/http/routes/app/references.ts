import { Type } from 'typebox'
import { descriptionMaxLength, titleMaxLength } from '../../../domain/references/reference.ts'
import {
  createReference,
  deleteReference,
  editReference,
  getReference,
  listReferences,
  reserveReference,
} from '../../../domain/references/references.ts'
import { runReference } from '../../../domain/runs/start-run.ts'
import type { Services } from '../../../services.ts'
import { callerOf } from '../../authenticate.ts'
import { optionalBody } from '../../body-parsers.ts'
import { presentDeletedReference, presentReference, presentReferenceInFull, presentRunInFull } from '../../present.ts'
import { closed, nullable, PageQuery, ParameterDefinition, Uuid, Visualization } from '../../schemas.ts'
import type { Api } from '../../typed.ts'
import { ParameterValues } from './queries.ts'

const Params = Type.Object({ shortId: Type.String() })

const content = {
  title: Type.Optional(Type.String({ minLength: 1, maxLength: titleMaxLength })),
  description: Type.Optional(
    Type.Unsafe<string | null>({ type: ['string', 'null'], maxLength: descriptionMaxLength }),
  ),
  visualization: Type.Optional(nullable(Visualization)),
  parameters: Type.Optional(Type.Array(ParameterDefinition, { maxItems: 100 })),
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
      const { queryId, ...given } = request.body
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
      presentReferenceInFull(await editReference(services, callerOf(request), request.params.shortId, request.body)),
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
