import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { docsPolicy } from '../docs/docs-content-policy.ts'
import { sendPacked } from '../docs/packed.ts'
import type { Document } from '../docs/reference/openapi-document.ts'
import type { Site } from '../docs/site.ts'
import { noSuchRoute } from '../allowed-methods.ts'

const longestQuery = 200

/** The public documentation. Loaded with the first request for it, because most processes never serve it. */
export function docsRoutes(app: FastifyInstance, readOpenapi?: () => Document): void {
  let opening: Promise<Site | undefined> | undefined
  const open = () =>
    (opening ??= readSite(readOpenapi).catch((error: unknown) => {
      opening = undefined
      throw error
    }))

  async function send(request: FastifyRequest, reply: FastifyReply) {
    const site = await open()
    if (!site) throw noSuchRoute(request, reply)
    const requested = request.url.split('?', 1)[0]!
    if (requested.endsWith('/')) return reply.redirect(requested.replace(/\/+$/, ''), 301)
    const address = decodeURIComponent(requested)
    const page = site.page(address)
    if (page) return sendPacked(request, reply.header('content-security-policy', docsPolicy), page)
    const asset = site.assets.byAddress.get(address)
    if (asset) return sendPacked(request, reply, asset, { isForever: true })
    const markdown = site.markdown(address)
    if (markdown) return sendPacked(request, reply, markdown)
    const file = await site.file(address)
    if (file) return reply.header('cache-control', 'public, max-age=3600').type(file.contentType).send(file.bytes)
    if (!request.headers.accept?.includes('text/html')) throw noSuchRoute(request, reply)
    return sendHtml(reply.code(404), site.notFound())
  }

  const hidden = { schema: { hide: true } }
  app.get('/docs', hidden, send)
  app.get('/docs/*', hidden, send)

  app.get('/docs/search', hidden, async (request, reply) => {
    const site = await open()
    if (!site) throw noSuchRoute(request, reply)
    const { q } = request.query as Record<string, unknown>
    return sendHtml(reply, await site.search(typeof q === 'string' ? q.slice(0, longestQuery) : ''))
  })
}

async function readSite(readOpenapi: (() => Document) | undefined): Promise<Site | undefined> {
  const { openSite } = await import('../docs/site.ts')
  return openSite(undefined, readOpenapi?.())
}

const sendHtml = (reply: FastifyReply, html: string) =>
  reply.header('content-security-policy', docsPolicy).type('text/html; charset=utf-8').send(html)
