import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** The web app writes the HTML of an e-mail into this document. Its links open in a new tab. */
const script = `
addEventListener('message', (event) => {
  if (event.source !== parent || typeof event.data !== 'string') return
  document.open()
  document.write(event.data.replace('<head>', '<head><base target="_blank">'))
  document.close()
})
parent.postMessage('ready', '*')
`

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>E-mail</title></head><body><script>${script}</script></body></html>`

/**
 * E-mails need inline styles, which pages may not have, and a frame without an address of its own inherits the policy of its page. So
 * they are shown in a document of their own: without the origin of the service, its session, or requests to anywhere. The only script
 * that runs in it is the one above.
 */
const policy = [
  "default-src 'none'",
  `script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  "style-src 'unsafe-inline'",
  'img-src data:',
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'self'",
  'sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox',
].join('; ')

export const emailFramePath = '/app/email-frame'

export function emailFrame(pages: FastifyInstance): void {
  pages.get(emailFramePath, { schema: { hide: true } }, async (_request, reply) =>
    reply
      .removeHeader('x-frame-options')
      .header('content-security-policy', policy)
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(page),
  )
}
