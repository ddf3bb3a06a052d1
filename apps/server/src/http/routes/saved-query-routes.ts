import { Type } from 'typebox'
import { deleteUnlessUsed } from '../../domain/lineage/delete-unless-used.ts'
import { getVersionedReference, listReferences, saveReference } from '../../domain/references/references.ts'
import { saveReferences } from '../../domain/references/save-references.ts'
import type { QueryServices } from '../../domain/services.ts'
import { callerOf } from '../authenticate.ts'
import { presentDeletedReference, presentReference, presentVersionedReference } from '../present.ts'
import { OptionalIfMatch, readBasedOn, withEtag } from '../if-match.ts'
import { responses } from '../responses.ts'
import { closed, DeletedReference, oneOf, PageQuery, pageOf, published, Reference, SavedReference, unnamed } from '../schemas.ts'
import { SavedQuery } from '../schemas/query-schemas.ts'
import type { Api } from '../typed.ts'
import { completeReference } from '../given-reference.ts'

const tags = ['Saved queries']
const Params = Type.Object({
  shortId: Type.String({ description: 'The reference’s `shortId`, as in its permalink.', examples: ['w3n8c5vdht'] }),
})
const Deletion = Type.Object(
  {
    evenIfUsed: Type.Optional({
      ...oneOf(['true', 'false']),
      description: 'Deletes it even if boards, automations or other saved queries use it.',
      examples: ['true'],
    }),
  },
  closed,
)
const GivenSavedQuery = unnamed(published(SavedQuery, 'SavedQuery', 'A query to save.'))

const batchMax = 100
const exampleQuery = { title: 'Revenue by month', sql: 'select 1 as revenue', analyticalDatabaseConfigId: 'db_4k2n' }
const SavedQueries = Type.Object({ items: Type.Array(GivenSavedQuery, { minItems: 1, maxItems: batchMax, examples: [[exampleQuery]] }) }, { title: 'SavedQueries', ...closed })
const SavedReferences = Type.Object(
  { items: Type.Array(SavedReference, { description: 'In the order of the request.' }) },
  { title: 'SavedReferences', description: 'The saved queries.' },
)

/** Saved queries for programs that write. Not part of the retired API. `change-feed-routes.ts` has their PATCH. */
export function savedQueryRoutes(api: Api, services: QueryServices): void {
  api.get(
    '/api/references',
    {
      config: { scope: 'read:queries' },
      schema: {
        operationId: 'savedQueries.list',
        tags,
        summary: 'List saved queries, newest first',
        description:
          'Lists the organization’s references, page by page. All pages show the list and every field as of the first page, including references deleted since.',
        querystring: PageQuery,
        response: responses(200, pageOf('SavedQueryPage', Reference), ['cursor_invalid', 'cursor_expired']),
      },
    },
    async (request) => {
      const page = await listReferences(services, callerOf(request), request.query)
      return { ...page, items: page.items.map(presentReference) }
    },
  )

  api.post(
    '/api/references',
    {
      config: { scope: 'write:queries' },
      schema: {
        operationId: 'savedQueries.create',
        tags,
        summary: 'Save a query',
        description: 'Stores SQL and a reference to it, with a permalink, and optionally a chart, parameters and a folder.',
        body: GivenSavedQuery,
        response: responses(201, SavedReference, ['database_not_found', 'folder_not_found', 'managed_by_files', 'ref_invalid', 'body_too_large']),
      },
    },
    async (request, reply) => {
      const reference = await saveReference(services, callerOf(request), completeReference(request.body))
      return reply.code(201).send(withEtag(reply, presentVersionedReference({ ...reference, version: 1 })))
    },
  )

  api.post(
    '/api/references/batch',
    {
      config: { scope: 'write:queries' },
      schema: {
        operationId: 'savedQueries.createMany',
        tags,
        summary: 'Save many queries',
        description: `Saves up to ${batchMax} queries in one transaction: all of them or none. An error names the first item that cannot be saved in \`details\`, such as \`/items/3\`.`,
        body: unnamed(SavedQueries),
        response: responses(201, SavedReferences, ['database_not_found', 'folder_not_found', 'managed_by_files', 'ref_invalid', 'body_too_large']),
      },
    },
    async (request, reply) => {
      const saved = await saveReferences(services, callerOf(request), request.body.items.map(completeReference))
      return reply.code(201).send({ items: saved.map((reference) => presentVersionedReference(Object.assign(reference, { version: 1 }))) })
    },
  )

  api.get(
    '/api/references/:shortId',
    {
      config: { scope: 'read:queries' },
      schema: {
        operationId: 'savedQueries.get',
        tags,
        summary: 'Retrieve a saved query',
        description: 'Returns the reference with its SQL, its parameters and, if it has one, its visualization. Its `version` is also the `ETag`.',
        params: Params,
        response: responses(200, SavedReference, ['reference_not_found']),
      },
    },
    async (request, reply) =>
      withEtag(reply, presentVersionedReference(await getVersionedReference(services, callerOf(request), request.params.shortId))),
  )

  api.delete(
    '/api/references/:shortId',
    {
      config: { scope: 'write:queries' },
      schema: {
        operationId: 'savedQueries.delete',
        tags,
        summary: 'Delete a saved query',
        description:
          'After this, the permalink returns 404. The query and its history are kept. A saved query that boards, automations or other saved queries use is deleted only with `evenIfUsed=true`.',
        params: Params,
        headers: OptionalIfMatch,
        querystring: Deletion,
        response: responses(200, DeletedReference, ['reference_not_found', 'reference_in_use', 'managed_by_files', 'version_conflict', 'body_too_large']),
      },
    },
    async (request) => {
      const deletion = { ...request.params, ...readBasedOn(request), evenIfUsed: request.query.evenIfUsed === 'true' }
      return presentDeletedReference(await deleteUnlessUsed(services, callerOf(request), deletion))
    },
  )
}
