import type { FastifyInstance } from 'fastify'
import { isLivingReference } from '../../domain/references/references.ts'
import type { Services } from '../../services.ts'
import { errorDocs } from '../error-docs.ts'
import { type ErrorCode, statusOf } from '../errors.ts'

/** HTML that the service itself answers with. The permalink carries no data: the page asks for sign-in and then for the data. */
export function pageRoutes(app: FastifyInstance, services: Services): void {
  app.get('/q/:shortId', { schema: { hide: true } }, async (request, reply) => {
    const { shortId } = request.params as { shortId: string }
    const isThere = await isLivingReference(services, shortId)
    const title = isThere ? 'Query' : 'This link leads nowhere'
    const text = isThere
      ? 'Sign in to see this query.'
      : 'The query reference was deleted, or the link is incomplete. Ask whoever sent it to you.'
    return reply
      .code(isThere ? 200 : 404)
      .type('text/html; charset=utf-8')
      .send(page(title, `<p>${text}</p>`))
  })

  app.get('/docs/errors', { schema: { hide: true } }, async (_request, reply) => {
    const sections = Object.entries(errorDocs).map(
      ([code, text]) =>
        `<h2 id="${code}"><code>${code}</code></h2><p>HTTP ${statusOf[code as ErrorCode]}. ${escapeHtml(text)}</p>`,
    )
    return reply.type('text/html; charset=utf-8').send(page('Errors', sections.join('\n')))
  })
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${title} · Querypost</title></head>
<body><main><h1>${title}</h1>
${body}
</main></body>
</html>`
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
