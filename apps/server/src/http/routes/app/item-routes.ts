import { Type } from 'typebox'
import {
  addFavorite,
  deleteFavorite,
  getMarks,
  listFavorites,
  listRecentViews,
  listTags,
  noteView,
  setTags,
} from '../../../domain/items/items.ts'
import type { QueryServices } from '../../../domain/services.ts'
import type { ItemKind } from '../../../model/item.ts'
import type { Favorite } from '../../../store/items/favorites-table.ts'
import type { RecentView } from '../../../store/items/recent-views-table.ts'
import { callerOf } from '../../authenticate.ts'
import { noBody, noContent } from '../../page-responses.ts'
import { wholeList } from '../../schemas.ts'
import { FavoriteItem, ItemTags, Marks, TagsChange, UsedTag, ViewedItem } from '../../schemas/item-schemas.ts'
import type { Api } from '../../typed.ts'

const Params = Type.Object({ shortId: Type.String() })

const presentFavorite = ({ markedAt, ...item }: Favorite) => ({ ...item, markedAt: markedAt.toISOString() })
const presentView = ({ viewedAt, ...item }: RecentView) => ({ ...item, viewedAt: viewedAt.toISOString() })

/** Favorites, recently viewed items and tags of queries and boards. */
export function itemRoutes(api: Api, services: QueryServices): void {
  api.get('/app/api/favorites', { schema: { response: { 200: wholeList(FavoriteItem) } } }, async (request) => {
    const items = await listFavorites(services, callerOf(request))
    return { items: items.map(presentFavorite) }
  })

  api.get('/app/api/recently-viewed', { schema: { response: { 200: wholeList(ViewedItem) } } }, async (request) => {
    const items = await listRecentViews(services, callerOf(request))
    return { items: items.map(presentView) }
  })

  api.get('/app/api/tags', { schema: { response: { 200: wholeList(UsedTag) } } }, async (request) => ({
    items: await listTags(services, callerOf(request)),
  }))

  routesOf('/app/api/references/:shortId', 'reference')
  routesOf('/app/api/boards/:shortId', 'board')

  function routesOf(item: string, kind: ItemKind): void {
    api.get(`${item}/marks`, { schema: { params: Params, response: { 200: Marks } } }, async (request) =>
      getMarks(services, callerOf(request), { kind, ...request.params }),
    )

    api.put(`${item}/favorite`, { ...noBody, schema: { params: Params, response: noContent } }, async (request, reply) => {
      await addFavorite(services, callerOf(request), { kind, ...request.params })
      return reply.code(204).send()
    })

    api.delete(`${item}/favorite`, { schema: { params: Params, response: noContent } }, async (request, reply) => {
      await deleteFavorite(services, callerOf(request), { kind, ...request.params })
      return reply.code(204).send()
    })

    api.post(`${item}/views`, { ...noBody, schema: { params: Params, response: noContent } }, async (request, reply) => {
      await noteView(services, callerOf(request), { kind, ...request.params })
      return reply.code(204).send()
    })

    api.put(`${item}/tags`, { schema: { params: Params, body: TagsChange, response: { 200: ItemTags } } }, async (request) => ({
      tags: await setTags(services, callerOf(request), { kind, ...request.params, ...request.body }),
    }))
  }
}
