import type { FastifyInstance, FastifyReply } from 'fastify'
import { isExistingBoard } from '../../domain/boards/boards.ts'
import { isChat } from '../../domain/chats/find-chat.ts'
import { isLivingReference } from '../../domain/references/references.ts'
import { Refusal } from '../../domain/refusal.ts'
import { noSuchRoute } from '../allowed-methods.ts'
import { emailFrame } from '../pages/email-frame.ts'
import type { LinkPreviews } from '../pages/link-previews.ts'
import { pagePolicy } from '../pages/page-policy.ts'
import { plainPage } from '../pages/plain-page.ts'
import { sendDocument } from '../pages/send-document.ts'
import { readOwnWebBuild, readWebBuild, type WebBuild } from '../pages/web-build.ts'
import { acceptsBrotli, acceptsGzip } from '../accepted-encodings.ts'
import { type ViewerPageServices, viewerPageRoutes } from './shared/viewer-page-routes.ts'

/** Names contain a hash of the content, so the content of a name never changes. */
const forever = 'public, max-age=31536000, immutable'

/** Pages that always return the shell with 200. Only permalinks return 404 if their target does not exist. */
const pagesWithoutStatus = [
  '/',
  '/account',
  '/ask',
  '/automations',
  '/automations/:id',
  '/boards',
  '/boards/new',
  '/chats',
  '/databases',
  '/databases/:id',
  '/databases/:id/users',
  '/evaluations',
  '/evaluations/:id',
  '/evaluations/sets/:id',
  '/folders/:id',
  '/forgotten-password',
  '/invitation',
  '/knowledge',
  '/knowledge/:part',
  '/notifications',
  '/queries',
  '/queries/:queryId',
  '/reports/confirm',
  '/reports/download',
  '/reports/unsubscribe/:token',
  '/reset',
  '/runs',
  '/runs/:runId',
  '/settings/access',
  '/settings/agents',
  '/settings/audit-log',
  '/settings/channels',
  '/settings/members',
  '/settings/organization',
  '/settings/result-history',
  '/settings/sharing',
  '/settings/storage',
  '/settings/webhooks',
  '/settings/webhooks/:id',
  '/sign-in',
  '/sign-in/second-step',
  '/trash',
  '/welcome',
]

/**
 * The HTML of the web app and its assets. Pages contain no data: they ask the user to sign in, then load data through `/app/api`. The
 * only exception are the tags for link previews, for users who are already signed in.
 */
export function pageRoutes(
  app: FastifyInstance,
  services: ViewerPageServices,
  options: { folder?: string; linkPreviews?: LinkPreviews } = {},
): void {
  const sendHtml = (reply: FastifyReply, html: string, { head = '', cacheControl = 'no-cache' } = {}) => {
    reply.header('cache-control', cacheControl)
    return sendDocument(services, reply, { html, head, policy: pagePolicy })
  }

  /** The page of a permalink depends on the user, so no shared cache may store it. */
  const sendPermalink = (reply: FastifyReply, html: string, tags: string | undefined) => {
    reply.header('vary', 'cookie')
    return sendHtml(reply, html, { head: tags ?? '', cacheControl: 'private, no-cache' })
  }

  app.register(async (pages) => {
    const build = await (options.folder === undefined ? readOwnWebBuild() : readWebBuild(options.folder))
    const hidden = { schema: { hide: true } }
    emailFrame(pages)
    viewerPageRoutes(pages, services, { html: build?.viewerShell ?? notBuilt })
    for (const url of pagesWithoutStatus) {
      pages.get(url, hidden, async (_request, reply) => sendHtml(reply, shellOf(build)))
    }

    for (const url of ['/q/:shortId', '/q/:shortId/edit', '/q/:shortId/results', '/q/:shortId/lineage']) {
      pages.get(url, hidden, async (request, reply) => {
        const { shortId } = request.params as { shortId: string }
        const exists = await isLivingReference(services, shortId)
        const tags = exists ? await options.linkPreviews?.reference(request, shortId) : undefined
        return sendPermalink(reply.code(exists ? 200 : 404), shellOf(build), tags)
      })
    }

    pages.get('/b/:shortId', hidden, async (request, reply) => {
      const { shortId } = request.params as { shortId: string }
      const exists = await isExistingBoard(services, shortId)
      const tags = exists ? await options.linkPreviews?.board(request, shortId) : undefined
      return sendPermalink(reply.code(exists ? 200 : 404), shellOf(build), tags)
    })

    pages.get('/chats/:shortId', hidden, async (request, reply) => {
      const { shortId } = request.params as { shortId: string }
      const exists = await isChat(services, shortId)
      const tags = exists ? await options.linkPreviews?.chat(request, shortId) : undefined
      return sendPermalink(reply.code(exists ? 200 : 404), shellOf(build), tags)
    })

    pages.get('/assets/:name', hidden, async (request, reply) => {
      const { name } = request.params as { name: string }
      const file = build?.files.get(`/assets/${name}`)
      if (!file) throw new Refusal('route_not_found', 'There is no such file. Reload the page: it may have changed.')
      reply.type(file.contentType).header('cache-control', forever).header('vary', 'accept-encoding')
      const accepted = request.headers['accept-encoding']
      if (file.brotli && acceptsBrotli(accepted)) return reply.header('content-encoding', 'br').send(file.brotli)
      if (!acceptsGzip(accepted)) return reply.send(await file.plain())
      return reply.header('content-encoding', 'gzip').send(await file.gzipped())
    })

    // A person with a wrong link gets a page that says so; a program gets a JSON error.
    pages.get('/*', hidden, async (request, reply) => {
      const path = request.url.split('?', 1)[0]!
      const isForPerson = request.headers.accept?.includes('text/html') && !/^\/(api|app|assets|public)(\/|$)/.test(path)
      if (!isForPerson) throw noSuchRoute(request, reply)
      return sendHtml(reply.code(404), shellOf(build))
    })
  })
}

const notBuilt = plainPage({
  title: 'The web app is not built',
  body: '<p>The service is running, but its web app is not built. Run <code>npm start</code> or <code>npm run build -w apps/web</code>, then restart the service.</p>',
})

const shellOf = (build: WebBuild | undefined) => build?.shell ?? notBuilt
