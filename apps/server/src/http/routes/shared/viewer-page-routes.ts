import type { FastifyReply, FastifyRequest } from 'fastify'
import { openEmbed, readFrameAncestors } from '../../../domain/sharing/open-embed.ts'
import { isOpenLink } from '../../../domain/sharing/open-link.ts'
import { Refusal } from '../../../domain/refusal.ts'
import type { QueryServices } from '../../../domain/services.ts'
import { errorCodes } from '../../../model/error-code.ts'
import { escapeAttribute } from '../../pages/link-previews.ts'
import { viewerPagePolicy } from '../../pages/page-policy.ts'
import { sendDocument } from '../../pages/send-document.ts'
import type { Api } from '../../typed.ts'

export type ViewerPageServices = Pick<QueryServices, 'db' | 'random' | 'clock' | 'sealer' | 'findReference'>

/**
 * The documents that viewers open: a public link and an embedded page. They contain no data, tell search engines to stay away, and send
 * no referrer.
 */
export function viewerPageRoutes(
  pages: Api,
  services: ViewerPageServices,
  { html }: { html: string },
): void {
  const hidden = { schema: { hide: true } }
  const send = (reply: FastifyReply, frameAncestors: string[] = []) => {
    reply.header('x-robots-tag', 'noindex, nofollow').header('referrer-policy', 'no-referrer')
    return sendDocument(services, reply, { html, head: embedOrigins(frameAncestors), policy: (nonce) => viewerPagePolicy(nonce, frameAncestors) })
  }

  pages.get('/s/:token', hidden, async (request, reply) => {
    const { token } = request.params as { token: string }
    return send(reply.code((await isOpenLink(services, token)) ? 200 : 404))
  })

  pages.get('/embed/:shortId', hidden, async (request, reply) => {
    const { shortId } = request.params as { shortId: string }
    const given = (request.query as Record<string, unknown>)['token']
    // A token that is given twice is a list.
    const token = typeof given === 'string' ? given : undefined
    const origins = await readFrameAncestors(services, token)
    // Browsers decide by the policy whether they show the frame; this header is for those that are too old for it.
    if (origins.length > 0) reply.removeHeader('x-frame-options')
    try {
      await openEmbed(services, { shortId, token })
      requireListedOrigin(request, origins)
      return await send(reply, origins)
    } catch (error) {
      if (!(error instanceof Refusal) || !request.headers.accept?.includes('text/html')) throw error
      return send(reply.code(errorCodes[error.code].status), origins)
    }
  })
}

/** The page exchanges messages only with these origins. */
const embedOrigins = (origins: readonly string[]) =>
  origins.length === 0 ? '' : `<meta name="querypost-embed-origins" content="${escapeAttribute(origins.join(' '))}">`

/** Only for a clear answer: a frame of another site is blocked by the policy in any case. */
function requireListedOrigin({ headers }: FastifyRequest, origins: string[]): void {
  const { referer } = headers
  if (headers['sec-fetch-dest'] !== 'iframe' || referer === undefined || !URL.canParse(referer)) return
  if (origins.includes(new URL(referer).origin)) return
  throw new Refusal('embed_origin_not_allowed', `The site ${new URL(referer).origin} may not embed pages of this organization. An admin can list it.`)
}
