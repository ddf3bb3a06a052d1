import { Type } from 'typebox'
import {
  getReferenceVersion,
  listReferenceHistory,
  restoreReferenceVersion,
} from '../../../domain/references/reference-history.ts'
import type { QueryServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { noBody } from '../../page-responses.ts'
import { presentReferenceVersion, presentReferenceVersionInFull } from '../../present.ts'
import { listPage, PageQuery } from '../../schemas.ts'
import { MarkedReference, ReferenceVersion, ReferenceVersionInFull } from '../../schemas/query-schemas.ts'
import type { Api } from '../../typed.ts'
import { presentMarkedReference } from './marked-reference.ts'

const Params = Type.Object({ shortId: Type.String() })
const VersionParams = Type.Object({ shortId: Type.String(), version: Type.String({ pattern: '^[1-9][0-9]{0,8}$' }) })

const keyOf = ({ shortId, version }: { shortId: string; version: string }) => ({ shortId, number: Number(version) })

/** The history of a reference. */
export function referenceVersionRoutes(api: Api, services: QueryServices): void {
  api.get(
    '/app/api/references/:shortId/versions',
    { schema: { params: Params, querystring: PageQuery, response: { 200: listPage(ReferenceVersion) } } },
    async (request) => {
      const page = await listReferenceHistory(services, callerOf(request), { ...request.params, ...request.query })
      return { ...page, items: page.items.map(presentReferenceVersion) }
    },
  )

  api.get(
    '/app/api/references/:shortId/versions/:version',
    { schema: { params: VersionParams, response: { 200: ReferenceVersionInFull } } },
    async (request) =>
      presentReferenceVersionInFull(await getReferenceVersion(services, callerOf(request), keyOf(request.params))),
  )

  api.post(
    '/app/api/references/:shortId/versions/:version/restore',
    { ...noBody, schema: { params: VersionParams, response: { 200: MarkedReference } } },
    async (request) => {
      const restored = await restoreReferenceVersion(services, callerOf(request), keyOf(request.params))
      return presentMarkedReference(services, request, restored)
    },
  )
}
