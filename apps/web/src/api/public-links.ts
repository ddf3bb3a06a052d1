import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { ItemKind } from './generated/schemas.ts'
import type { Body } from './operations.ts'
import { request } from './request.ts'

export type { PublicLink, PublicParameter } from './generated/schemas.ts'

export type NewPublicLink = Body<'POST /boards/{shortId}/public-links'>
export type PublicLinkChange = Body<'PATCH /public-links/{id}'>

interface Item {
  kind: ItemKind
  shortId: string
}

export const publicLinksKey = ['public-links']

/** All links of the organization, newest first. For admins. */
export const publicLinksOptions = infiniteQueryOptions({
  queryKey: [...publicLinksKey, 'all'],
  queryFn: ({ signal, pageParam: cursor }) => request('GET /public-links', { query: { cursor, limit: 50 }, signal }),
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (page) => page.nextCursor,
  select: ({ pages }) => pages.flatMap(({ items }) => items),
})

/** The links to one query or board, newest first. */
export const publicLinksOfOptions = ({ kind, shortId }: Item) =>
  queryOptions({
    queryKey: [...publicLinksKey, kind, shortId],
    queryFn: async ({ signal }) => {
      const given = { params: { shortId }, signal }
      return (kind === 'board'
        ? await request('GET /boards/{shortId}/public-links', given)
        : await request('GET /references/{shortId}/public-links', given)
      ).items
    },
  })

export const createPublicLink = ({ kind, shortId }: Item, body: NewPublicLink) =>
  kind === 'board'
    ? request('POST /boards/{shortId}/public-links', { params: { shortId }, body })
    : request('POST /references/{shortId}/public-links', { params: { shortId }, body })

export const editPublicLink = (id: string, body: PublicLinkChange) => request('PATCH /public-links/{id}', { params: { id }, body })

export const revokePublicLink = (id: string) => request('DELETE /public-links/{id}', { params: { id } })
