import type { FastifyReply, FastifyRequest } from 'fastify'

/** Headers of every response. Pages set their own content policy; data must never be framed, sniffed or stored by shared caches. */
export function makeSecurityHeaders(options: { baseUrl: string }) {
  const isHttps = options.baseUrl.startsWith('https:')
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    reply.header('x-request-id', request.id)
    reply.header('x-content-type-options', 'nosniff')
    reply.header('referrer-policy', 'same-origin')
    reply.header('cross-origin-resource-policy', 'same-origin')
    reply.header('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    reply.header('x-frame-options', 'DENY')
    reply.header('cache-control', 'no-store')
    if (isHttps) reply.header('strict-transport-security', 'max-age=31536000')
  }
}
