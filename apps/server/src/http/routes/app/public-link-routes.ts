import { type Static, Type } from 'typebox'
import {
  createPublicLink,
  editPublicLink,
  type LinkEdit,
  listPublicLinks,
  listPublicLinksOf,
  type PublicLinkWithToken,
  revokePublicLink,
} from '../../../domain/sharing/public-links.ts'
import type { QueryServices } from '../../../domain/services.ts'
import type { ItemKind } from '../../../model/item.ts'
import { callerOf } from '../../authenticate.ts'
import { noContent } from '../../page-responses.ts'
import { presentPublicLink } from '../../present-sharing.ts'
import { listPage, PageQuery, wholeList } from '../../schemas.ts'
import { NewPublicLink, PublicLink, PublicLinkChange } from '../../schemas/sharing-schemas.ts'
import type { Api } from '../../typed.ts'

const OfItem = Type.Object({ shortId: Type.String() })
const Params = Type.Object({ id: Type.String() })

const nothingMore = { parameters: [], showsSql: false, allowsRefresh: false, downloads: [], expiresAt: null, password: null }

/** Public links of queries and boards. */
export function publicLinkRoutes(api: Api, services: QueryServices): void {
  const present = (link: PublicLinkWithToken) =>
    presentPublicLink(link, { baseUrl: services.baseUrl, now: services.clock.now() })

  routesOf('/app/api/references/:shortId/public-links', 'reference')
  routesOf('/app/api/boards/:shortId/public-links', 'board')

  function routesOf(url: string, kind: ItemKind): void {
    api.get(url, { schema: { params: OfItem, response: { 200: wholeList(PublicLink) } } }, async (request) => {
      const links = await listPublicLinksOf(services, callerOf(request), { kind, ...request.params })
      return { items: links.map(present) }
    })

    api.post(
      url,
      { schema: { params: OfItem, body: NewPublicLink, response: { 201: PublicLink } } },
      async (request, reply) => {
        const input = { ...nothingMore, ...readTimes(request.body) }
        const link = await createPublicLink(services, callerOf(request), { kind, ...request.params }, input)
        return reply.code(201).send(present(link))
      },
    )
  }

  api.get(
    '/app/api/public-links',
    { schema: { querystring: PageQuery, response: { 200: listPage(PublicLink) } } },
    async (request) => {
      const page = await listPublicLinks(services, callerOf(request), request.query)
      return { ...page, items: page.items.map(present) }
    },
  )

  api.patch(
    '/app/api/public-links/:id',
    { schema: { params: Params, body: PublicLinkChange, response: { 200: PublicLink } } },
    async (request) => present(await editPublicLink(services, callerOf(request), request.params.id, readTimes(request.body))),
  )

  api.delete('/app/api/public-links/:id', { schema: { params: Params, response: noContent } }, async (request, reply) => {
    await revokePublicLink(services, callerOf(request), request.params.id)
    return reply.code(204).send()
  })
}

function readTimes({ expiresAt, ...rest }: Static<typeof PublicLinkChange>): LinkEdit {
  return { ...rest, ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : new Date(expiresAt) }) }
}
