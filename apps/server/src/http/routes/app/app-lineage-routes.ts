import { Type } from 'typebox'
import { getAutomationLineage, getBoardLineage } from '../../../domain/lineage/item-lineage.ts'
import { getReferenceLineage } from '../../../domain/lineage/reference-lineage.ts'
import { getTableUsers } from '../../../domain/lineage/table-users.ts'
import type { QueryServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { ItemLineage, ReferenceLineage, TableQuery, TableUsers } from '../../schemas/lineage-schemas.ts'
import type { Api } from '../../typed.ts'

/** What saved queries, boards and automations read, and what uses them. */
export function appLineageRoutes(api: Api, services: QueryServices): void {
  api.get(
    '/app/api/references/:shortId/lineage',
    { schema: { params: Type.Object({ shortId: Type.String() }), response: { 200: ReferenceLineage } } },
    async (request) => getReferenceLineage(services, callerOf(request), request.params.shortId),
  )

  api.get(
    '/app/api/boards/:shortId/lineage',
    { schema: { params: Type.Object({ shortId: Type.String() }), response: { 200: ItemLineage } } },
    async (request) => getBoardLineage(services, callerOf(request), request.params.shortId),
  )

  api.get(
    '/app/api/automations/:id/lineage',
    { schema: { params: Type.Object({ id: Type.String() }), response: { 200: ItemLineage } } },
    async (request) => getAutomationLineage(services, callerOf(request), request.params.id),
  )

  api.get(
    '/app/api/databases/:id/users',
    { schema: { params: Type.Object({ id: Type.String() }), querystring: TableQuery, response: { 200: TableUsers } } },
    async (request) => getTableUsers(services, callerOf(request), { databaseId: request.params.id, ...request.query }),
  )
}
