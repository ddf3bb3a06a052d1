import type { FastifyReply } from 'fastify'
import type { Random } from '../../ports/random.ts'

/** Placeholder for the nonce in the built document. */
const nonceMark = '__NONCE__'
const nonceBytes = 16

/**
 * Sends a built HTML document with a fresh nonce, and the content security policy that names it. `head` is added as it is, so that no text
 * in it can ask for the nonce.
 */
export function sendDocument(
  { random }: { random: Random },
  reply: FastifyReply,
  { html, policy, head = '' }: { html: string; policy(nonce: string): string; head?: string },
) {
  const nonce = Buffer.from(random.bytes(nonceBytes)).toString('base64')
  return reply
    .header('content-security-policy', policy(nonce))
    .type('text/html; charset=utf-8')
    .send(html.replaceAll(nonceMark, nonce).replace('</head>', () => `${head}</head>`))
}
