import type { FastifyInstance, FastifyReply } from 'fastify'
import { isChat } from '../../domain/chats/is-chat.ts'
import { isLivingReference } from '../../domain/references/references.ts'
import { Refusal } from '../../domain/refusal.ts'
import type { Services } from '../../services.ts'
import { errorDocs } from '../error-docs.ts'
import { type ErrorCode, statusOf } from '../errors.ts'
import { plainPage, textToHtml } from '../pages/plain-page.ts'
import { readWebBuild, type WebBuild, webBuildFolder } from '../pages/web-build.ts'
import { acceptsGzip } from '../send-result.ts'

/** Nothing inline, nothing from elsewhere, and no other site may frame a page. */
const pagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Names hold a hash of the content, so what a name stands for never changes. */
const forever = 'public, max-age=31536000, immutable'

/** The shell, to anyone, whatever their address names: only permalinks tell by their status whether they lead somewhere. */
const pagesWithoutStatus = [
  '/',
  '/account',
  '/automations',
  '/automations/:id',
  '/chats',
  '/notifications',
  '/runs/:runId',
  '/settings/agents',
  '/sign-in',
]

/** HTML, and what it loads. No page carries data: it asks for sign-in and then, through `/app/api`, for the data. */
export function pageRoutes(
  app: FastifyInstance,
  services: Pick<Services, 'db'>,
  options: { folder?: string } = {},
): void {
  app.register(async (pages) => {
    const build = await readWebBuild(options.folder ?? webBuildFolder)
    const hidden = { schema: { hide: true } }

    for (const url of pagesWithoutStatus) {
      pages.get(url, hidden, async (_request, reply) => sendHtml(reply, shellOf(build)))
    }

    pages.get('/q/:shortId', hidden, async (request, reply) => {
      const { shortId } = request.params as { shortId: string }
      const isThere = await isLivingReference(services, shortId)
      return sendHtml(reply.code(isThere ? 200 : 404), shellOf(build))
    })

    pages.get('/chats/:shortId', hidden, async (request, reply) => {
      const { shortId } = request.params as { shortId: string }
      const isThere = await isChat(services, shortId)
      return sendHtml(reply.code(isThere ? 200 : 404), shellOf(build))
    })

    pages.get('/assets/:name', hidden, async (request, reply) => {
      const { name } = request.params as { name: string }
      const file = build?.files.get(`/assets/${name}`)
      if (!file) throw new Refusal('route_not_found', 'There is no such file. Load the page anew: it may have changed.')
      reply.type(file.contentType).header('cache-control', forever).header('vary', 'accept-encoding')
      if (!acceptsGzip(request.headers['accept-encoding'])) return reply.send(file.bytes)
      return reply.header('content-encoding', 'gzip').send(file.gzipped)
    })

    pages.get('/docs/errors', hidden, async (_request, reply) => {
      const sections = Object.entries(errorDocs).map(
        ([code, text]) =>
          `<h2 id="${code}"><code>${code}</code></h2>\n<p>HTTP ${statusOf[code as ErrorCode]}. ${textToHtml(text)}</p>`,
      )
      return sendHtml(reply, plainPage({ title: 'Errors', body: sections.join('\n'), stylesheet: build?.stylesheet }))
    })
  })
}

const notBuilt = plainPage({
  title: 'The pages are not built',
  body: '<p>The service is running. <code>npm start</code> builds its pages; so does <code>npm run build -w apps/web</code>. Then start it again.</p>',
  stylesheet: undefined,
})

const shellOf = (build: WebBuild | undefined) => build?.shell ?? notBuilt

function sendHtml(reply: FastifyReply, html: string): FastifyReply {
  return reply
    .header('content-security-policy', pagePolicy)
    .header('cache-control', 'no-cache')
    .type('text/html; charset=utf-8')
    .send(html)
}
