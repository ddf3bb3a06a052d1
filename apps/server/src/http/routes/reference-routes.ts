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
import { answers } from '../answers.ts'
import { callerOf } from '../authenticate.ts'
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

/** They work as long as the operator keeps them on. */
const retirable = { tags: ['Query references'], deprecated: true }
const Params = Type.Object({
  shortId: Type.String({ description: 'The reference’s `shortId`, as in its permalink.', examples: ['k7m2p9qxwd'] }),
})

/** Interface 4: the five routes of query references. */
export function referenceRoutes(api: Api, services: QueryServices): void {
  api.get(
    '/api/queries/refs',
    {
      schema: {
        ...retirable,
        operationId: 'references.list',
        summary: 'List query references, newest first',
        description:
          'Pages of the organization’s references. All pages of a sequence show the list as it was at the first page, in every field; what is deleted meanwhile is still in it.',
        querystring: PageQuery,
        response: answers(200, pageOf('ReferencePage', Reference), ['cursor_invalid', 'cursor_expired', 'route_retired']),
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
      schema: {
        ...retirable,
        operationId: 'references.get',
        summary: 'Retrieve a query reference',
        description: 'The reference with its visualization, where it has one, and the parameters it defines.',
        params: Params,
        response: answers(200, ReferenceInFull, ['reference_not_found', 'route_retired']),
      },
    },
    async (request) => presentReferenceInFull(await getReference(services, callerOf(request), request.params.shortId)),
  )

  api.post(
    '/api/queries/refs',
    {
      schema: {
        ...retirable,
        operationId: 'references.create',
        summary: 'Create a query reference',
        description: 'A new permalink to a query that exists, with a `shortId` of its own and the title `Untitled query`.',
        body: Type.Object({ queryId: described(Uuid, 'The query it will point to.') }, closed),
        response: answers(201, Reference, ['query_not_found', 'route_retired', 'body_too_large']),
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
      schema: {
        ...retirable,
        operationId: 'references.update',
        summary: 'Update a query reference',
        description: 'Changes what is given and leaves the rest. The `shortId` and the query it points to cannot be changed here.',
        params: Params,
        body: Type.Object(
          {
            title: Type.Optional(Type.String({ minLength: 1, maxLength: titleMaxLength, examples: ['Revenue by month'] })),
            description: Type.Optional(
              Type.Unsafe<string | null>({
                ...NullableText,
                maxLength: descriptionMaxLength,
                description: 'Null removes it.',
              }),
            ),
          },
          closed,
        ),
        response: answers(200, Reference, ['reference_not_found', 'route_retired', 'body_too_large']),
      },
    },
    async (request) =>
      presentReference(await editReference(services, callerOf(request), request.params.shortId, request.body)),
  )

  api.delete(
    '/api/queries/refs/:shortId',
    {
      schema: {
        ...retirable,
        operationId: 'references.delete',
        summary: 'Delete a query reference',
        description: 'Its permalink answers 404 from then on. The query and its history are kept.',
        params: Params,
        response: answers(200, DeletedReference, ['reference_not_found', 'route_retired', 'body_too_large']),
      },
    },
    async (request) =>
      presentDeletedReference(await deleteReference(services, callerOf(request), request.params.shortId)),
  )
}
