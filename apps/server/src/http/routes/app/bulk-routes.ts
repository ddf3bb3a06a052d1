import { Type } from 'typebox'
import { moveItems, removeItems, restoreItems, tagItems } from '../../../domain/items/change-items.ts'
import { listTrash } from '../../../domain/items/trash.ts'
import { deleteItemsUnlessUsed } from '../../../domain/lineage/delete-unless-used.ts'
import type { QueryServices } from '../../../domain/services.ts'
import { deletedItemKeptMs, type TrashItem as StoredTrashItem } from '../../../model/item.ts'
import { callerOf } from '../../authenticate.ts'
import { noContent } from '../../page-responses.ts'
import { listPage, PageQuery } from '../../schemas.ts'
import { Deletion, ItemMove, ItemTagging, manyItems, NamedItem, TrashItem } from '../../schemas/item-schemas.ts'
import type { Api } from '../../typed.ts'

const presentTrashItem = ({ deletedAt, ...item }: StoredTrashItem) => ({
  ...item,
  deletedAt: deletedAt.toISOString(),
  removedAt: new Date(deletedAt.getTime() + deletedItemKeptMs).toISOString(),
})

/** The trash, and changes of many queries and boards at once: all of them are changed, or none. */
export function bulkRoutes(api: Api, services: QueryServices): void {
  api.get('/app/api/trash', { schema: { querystring: PageQuery, response: { 200: listPage(TrashItem) } } }, async (request) => {
    const page = await listTrash(services, callerOf(request), request.query)
    return { ...page, items: page.items.map(presentTrashItem) }
  })

  const Moves = Type.Object({ items: manyItems(ItemMove) }, { title: 'ItemMoves', additionalProperties: false })
  api.post('/app/api/items/move', { schema: { body: Moves, response: { 200: Moves } } }, async (request) => ({
    items: await moveItems(services, callerOf(request), request.body.items),
  }))

  const Taggings = Type.Object({ items: manyItems(ItemTagging) }, { title: 'ItemTaggings', additionalProperties: false })
  api.post('/app/api/items/tag', { schema: { body: Taggings, response: { 200: Taggings } } }, async (request) => ({
    items: await tagItems(services, callerOf(request), request.body.items),
  }))

  const Items = Type.Object({ items: manyItems(NamedItem) }, { title: 'NamedItems', additionalProperties: false })
  api.post('/app/api/items/delete', { schema: { querystring: Deletion, body: Items, response: noContent } }, async (request, reply) => {
    await deleteItemsUnlessUsed(services, callerOf(request), { ...request.body, evenIfUsed: request.query.evenIfUsed === 'true' })
    return reply.code(204).send()
  })

  for (const [action, change] of Object.entries({ restore: restoreItems, remove: removeItems })) {
    api.post(`/app/api/items/${action}`, { schema: { body: Items, response: noContent } }, async (request, reply) => {
      await change(services, callerOf(request), request.body.items)
      return reply.code(204).send()
    })
  }
}
