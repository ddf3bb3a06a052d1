import { createHash } from 'node:crypto'
import type { CollectedRoute } from '@querypost/server/testing'

/** A route that answers with a list of items, as a whole or page by page. */
export interface ListRoute {
  route: string
  isPaginated: boolean
}

interface ObjectSchema {
  properties?: Record<string, { type?: string }>
}

/** The list routes among all routes, so that none can be forgotten. */
export function listRoutesOf(routes: Pick<CollectedRoute, 'method' | 'url' | 'schema'>[]): ListRoute[] {
  return routes
    .filter(({ method, url, schema }) => {
      const answer = (schema?.response as Record<string, ObjectSchema> | undefined)?.['200']
      return method === 'GET' && /^(\/app)?\/api\//.test(url) && answer?.properties?.['items']?.type === 'array' && !(url in unmeasuredLists)
    })
    .map(({ url, schema }) => ({
      route: url,
      isPaginated: 'cursor' in ((schema?.querystring as ObjectSchema | undefined)?.properties ?? {}),
    }))
}

/** Lists that are not read from the store, or that a store with several organizations refuses. */
export const unmeasuredLists: Record<string, string> = {
  '/app/api/databases/:id/tables': 'read from the warehouse',
  '/app/api/channels/:id/conversations': 'read from Slack',
  '/app/api/storage': 'refused where several organizations share a store; one item per table anyway',
}

const hash = (text: string, length: number) => createHash('md5').update(text).digest('hex').slice(0, length)
const asId = (hex: string) => hex.replaceAll('0', 'g').replaceAll('1', 'h')
/** As the functions with these names that fill the store. */
export const newId = (prefix: string, number: number) => `${prefix}_${asId(hash(`${prefix}${number}`, 22))}`
export const shortId = (kind: string, number: number) => asId(hash(`${kind}${number}`, 3) + number.toString(16).padStart(7, '0'))

/** The largest organization's things, by the route that names them: those with the most rows. */
const subjects: Record<string, string> = {
  '/references/:shortId': shortId('ref', 1),
  '/boards/:shortId': shortId('board', 1),
  '/webhook-endpoints/:id': newId('we', 100),
  '/automations/:id': newId('automation', 1),
  '/question-sets/:id': newId('qset', 11),
  '/databases/:id': newId('db', 11),
}

/** What a route requires besides. */
const requiredQueries: Record<string, string> = {
  '/app/api/references/best': 'search=orders',
  '/app/api/search': 'q=orders',
  '/app/api/managed-items': `kind=query&id=${shortId('ref', 1)}`,
  '/app/api/boards/:shortId/past-results': `at=${new Date(Date.now() - 86_400_000).toISOString()}`,
}

/** The address of a list, or undefined if this file does not know what it is about. */
export function addressOf(route: string, { queryId }: { queryId: string }): string | undefined {
  const places = { ...subjects, '/queries/:queryId': queryId }
  const place = Object.entries(places).find(([name]) => route.includes(name))
  const path = place ? route.replace(place[0], `${place[0].slice(0, place[0].indexOf(':'))}${place[1]}`) : route
  if (path.includes(':')) return undefined
  const query = requiredQueries[route]
  return query === undefined ? path : `${path}?${query}`
}

export const withQuery = (address: string, query: string) => `${address}${address.includes('?') ? '&' : '?'}${query}`
