import { Type } from 'typebox'
import { descriptionMaxLength, titleMaxLength } from '../../model/reference.ts'
import {
  createReference,
  deleteReference,
  editReference,
  getReference,
  listReferences,
} from '../../domain/references/references.ts'
import type { QueryServices } from '../../domain/services.ts'
import { responses } from '../responses.ts'
import { callerOf } from '../authenticate.ts'
import { lookupsOf, referenceAhead } from '../look-ahead.ts'
import { presentDeletedReference, presentReference, presentReferenceInFull } from '../present.ts'
import {
  closed,
  DeletedReference,
  described,
  NullableText,
  PageQuery,
  pageOf,
  Reference,
  ReferenceInFull,
  Uuid,
} from '../schemas.ts'
import type { Api } from '../typed.ts'

/** Deprecated: these routes work until the operator retires them. */
const deprecatedRoute = { tags: ['Query references'], deprecated: true }
const Params = Type.Object({
  shortId: Type.String({ description: 'The reference’s `shortId`, as in its permalink.', examples: ['k7m2p9qxwd'] }),
})

/** The five published query reference routes. */
export function referenceRoutes(api: Api, services: QueryServices): void {
  api.get(
    '/api/queries/refs',
    {
      config: { scope: 'read:queries' },
      schema: {
        ...deprecatedRoute,
        operationId: 'references.list',
        summary: 'List query references, newest first',
        description:
          'Lists the organization’s references, page by page. All pages show the list and every field as of the first page, including references deleted since.',
        querystring: PageQuery,
        response: responses(200, pageOf('ReferencePage', Reference), ['cursor_invalid', 'cursor_expired', 'route_retired']),
      },
    },
    async (request) => {
      const page = await listReferences(services, callerOf(request), request.query)
      return { ...page, items: page.items.map(presentReference) }
    },
  )

  api.get(
    '/api/queries/refs/:shortId',
    {
      config: { scope: 'read:queries', lookAhead: referenceAhead(services) },
      schema: {
        ...deprecatedRoute,
        operationId: 'references.get',
        summary: 'Retrieve a query reference',
        description: 'Returns the reference with its parameters and, if it has one, its visualization.',
        params: Params,
        response: responses(200, ReferenceInFull, ['reference_not_found', 'route_retired']),
      },
    },
    async (request) =>
      presentReferenceInFull(await getReference(lookupsOf(services, request), callerOf(request), request.params.shortId)),
  )

  api.post(
    '/api/queries/refs',
    {
      config: { scope: 'write:queries' },
      schema: {
        ...deprecatedRoute,
        operationId: 'references.create',
        summary: 'Create a query reference',
        description: 'Creates a permalink to an existing query, with a new `shortId` and the title `Untitled query`.',
        body: Type.Object({ queryId: described(Uuid, 'The query to point to.') }, closed),
        response: responses(201, Reference, ['query_not_found', 'route_retired', 'body_too_large']),
      },
    },
    async (request, reply) => {
      const reference = await createReference(services, callerOf(request), request.body)
      return reply.code(201).send(presentReference(reference))
    },
  )

  api.put(
    '/api/queries/refs/:shortId',
    {
      config: { scope: 'write:queries' },
      schema: {
        ...deprecatedRoute,
        operationId: 'references.update',
        summary: 'Update a query reference',
        description: 'Changes only the given fields. The `shortId` and the query link cannot be changed.',
        params: Params,
        body: Type.Object(
          {
            title: Type.Optional(Type.String({ minLength: 1, maxLength: titleMaxLength, examples: ['Revenue by month'] })),
            description: Type.Optional(
              Type.Unsafe<string | null>({
                ...NullableText,
                maxLength: descriptionMaxLength,
                description: 'Null removes the description.',
              }),
            ),
          },
          closed,
        ),
        response: responses(200, Reference, ['reference_not_found', 'route_retired', 'body_too_large']),
      },
    },
    async (request) =>
      presentReference(await editReference(services, callerOf(request), request.params.shortId, request.body)),
  )

  api.delete(
    '/api/queries/refs/:shortId',
    {
      config: { scope: 'write:queries' },
      schema: {
        ...deprecatedRoute,
        operationId: 'references.delete',
        summary: 'Delete a query reference',
        description: 'After this, the permalink returns 404. The query and its history are kept.',
        params: Params,
        response: responses(200, DeletedReference, ['reference_not_found', 'route_retired', 'body_too_large']),
      },
    },
    async (request) =>
      presentDeletedReference(await deleteReference(services, callerOf(request), request.params.shortId)),
  )
}
