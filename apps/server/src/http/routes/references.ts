import { Type } from 'typebox'
import { descriptionMaxLength, titleMaxLength } from '../../domain/references/reference.ts'
import {
  createReference,
  deleteReference,
  editReference,
  getReference,
  listReferences,
} from '../../domain/references/references.ts'
import type { Services } from '../../services.ts'
import { callerOf } from '../authenticate.ts'
import { presentDeletedReference, presentReference, presentReferenceInFull } from '../present.ts'
import {
  answers,
  closed,
  DeletedReference,
  NullableText,
  PageQuery,
  pageOf,
  Reference,
  ReferenceInFull,
  Uuid,
} from '../schemas.ts'
import type { Api } from '../typed.ts'

const tags = ['Query references']
const Params = Type.Object({ shortId: Type.String() })

/** Interface 4: the five routes of query references. */
export function referenceRoutes(api: Api, services: Services): void {
  api.get(
    '/api/queries/refs',
    {
      schema: {
        tags,
        summary: 'List query references, newest first',
        querystring: PageQuery,
        response: answers(200, pageOf(Reference), [404]),
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
        tags,
        summary: 'Retrieve a query reference',
        params: Params,
        response: answers(200, ReferenceInFull, [404]),
      },
    },
    async (request) => presentReferenceInFull(await getReference(services, callerOf(request), request.params.shortId)),
  )

  api.post(
    '/api/queries/refs',
    {
      schema: {
        tags,
        summary: 'Create a query reference',
        body: Type.Object({ queryId: Uuid }, closed),
        response: answers(201, Reference, [404, 413]),
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
        tags,
        summary: 'Update a query reference',
        params: Params,
        body: Type.Object(
          {
            title: Type.Optional(Type.String({ minLength: 1, maxLength: titleMaxLength })),
            description: Type.Optional(
              Type.Unsafe<string | null>({ ...NullableText, maxLength: descriptionMaxLength }),
            ),
          },
          closed,
        ),
        response: answers(200, Reference, [404, 413]),
      },
    },
    async (request) =>
      presentReference(await editReference(services, callerOf(request), request.params.shortId, request.body)),
  )

  api.delete(
    '/api/queries/refs/:shortId',
    {
      schema: {
        tags,
        summary: 'Delete a query reference',
        description: 'Its permalink answers 404 from then on. The query and its history are kept.',
        params: Params,
        response: answers(200, DeletedReference, [404, 413]),
      },
    },
    async (request) =>
      presentDeletedReference(await deleteReference(services, callerOf(request), request.params.shortId)),
  )
}
