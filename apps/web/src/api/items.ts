import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { saveBoard } from './boards.ts'
import type { ItemKind, ItemMove, ItemTagging, NamedItem } from './generated/schemas.ts'
import { editReference } from './references.ts'
import { request } from './request.ts'

export type { FavoriteItem, FoundItem, ItemKind, ItemMarks, NamedItem, TrashItem, ViewedItem } from './generated/schemas.ts'

/** A query or a board, and the version of a board, which a change must name. */
export interface ItemAddress {
  kind: ItemKind
  shortId: string
  version?: number
}

export const favoritesOptions = queryOptions({
  queryKey: ['items', 'favorites'],
  queryFn: async ({ signal }) => (await request('GET /favorites', { signal })).items,
})

export const recentlyViewedOptions = queryOptions({
  queryKey: ['items', 'recently-viewed'],
  queryFn: async ({ signal }) => (await request('GET /recently-viewed', { signal })).items,
})

/** The tags that the organization uses, the most used first. */
export const tagsOptions = queryOptions({
  queryKey: ['items', 'tags'],
  queryFn: async ({ signal }) => (await request('GET /tags', { signal })).items,
})

export const marksOptions = ({ kind, shortId }: ItemAddress) =>
  queryOptions({
    queryKey: ['items', 'marks', kind, shortId],
    queryFn: ({ signal }) =>
      kind === 'board'
        ? request('GET /boards/{shortId}/marks', { params: { shortId }, signal })
        : request('GET /references/{shortId}/marks', { params: { shortId }, signal }),
  })

export function setFavorite({ kind, shortId }: ItemAddress, isFavorite: boolean): Promise<unknown> {
  const params = { shortId }
  if (kind === 'board') {
    return isFavorite ? request('PUT /boards/{shortId}/favorite', { params }) : request('DELETE /boards/{shortId}/favorite', { params })
  }
  return isFavorite
    ? request('PUT /references/{shortId}/favorite', { params })
    : request('DELETE /references/{shortId}/favorite', { params })
}

export function noteView({ kind, shortId }: ItemAddress): Promise<unknown> {
  const params = { shortId }
  return kind === 'board' ? request('POST /boards/{shortId}/views', { params }) : request('POST /references/{shortId}/views', { params })
}

export function setTags({ kind, shortId }: ItemAddress, tags: string[]): Promise<unknown> {
  const options = { params: { shortId }, body: { tags } }
  return kind === 'board' ? request('PUT /boards/{shortId}/tags', options) : request('PUT /references/{shortId}/tags', options)
}

/** Null moves it to the top. */
export const moveItem = ({ kind, shortId, version }: ItemAddress, folderId: string | null): Promise<unknown> =>
  kind === 'board' ? saveBoard(shortId, version!, { folderId }) : editReference(shortId, { folderId })

/** Everything of the organization that matches the text, best first. */
export const searchEverything = async (q: string, signal: AbortSignal) =>
  (await request('GET /search', { query: { q, limit: 12 }, signal })).items

/** Changes of many items at once: all of them are changed, or none. The answers of the first two undo them. */
export const moveItems = async (items: ItemMove[]) => (await request('POST /items/move', { body: { items } })).items

export const tagItems = async (items: ItemTagging[]) => (await request('POST /items/tag', { body: { items } })).items

/** Rejected if others use them, unless the person has confirmed that. */
export const deleteItems = (items: NamedItem[], { isConfirmed }: { isConfirmed: boolean }) =>
  request('POST /items/delete', { body: { items }, query: isConfirmed ? { evenIfUsed: 'true' } : {} })

/** Takes items out of the trash. */
export const restoreItems = (items: NamedItem[]) => request('POST /items/restore', { body: { items } })

/** Permanently removes items from the trash. Only admins may. */
export const removeItems = (items: NamedItem[]) => request('POST /items/remove', { body: { items } })

/** Deleted queries and boards, the latest deletion first. */
export const trashOptions = infiniteQueryOptions({
  queryKey: ['trash'],
  queryFn: ({ signal, pageParam: cursor }) => request('GET /trash', { query: { cursor, limit: 50 }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor,
  select: ({ pages }) => pages.flatMap(({ items }) => items),
  // Somebody who opens the trash has often just deleted something.
  staleTime: 0,
})
