import { itemKinds } from '@querypost/project'
import { Type } from 'typebox'
import { listManaged } from '../../../domain/managed/managed-items.ts'
import type { BaseServices } from '../../../domain/services.ts'
import { callerOf } from '../../authenticate.ts'
import { closed, oneOf, wholeList } from '../../schemas.ts'
import type { Api } from '../../typed.ts'

const Query = Type.Object({ kind: oneOf(itemKinds), id: Type.Optional(Type.String({ description: 'Only this item.' })) }, closed)

const ManagedItem = Type.Object(
  { id: Type.String(), url: Type.String({ description: 'Of its file.' }) },
  { title: 'ManagedItem', description: 'An item that can only be changed with its file.' },
)

/** Which items files manage, for the pages, which then offer no way to edit them. */
export function managedItemRoutes(api: Api, services: BaseServices): void {
  api.get('/app/api/managed-items', { schema: { querystring: Query, response: { 200: wholeList(ManagedItem) } } }, async (request) => ({
    items: (await listManaged(services, callerOf(request), request.query)).map(({ id, url }) => ({ id, url })),
  }))
}
