import type { FastifyReply } from 'fastify'
import type { Random } from '../../ports/random.ts'

/** Placeholder for the nonce in the built document. */
const nonceMark = '__NONCE__'
const nonceBytes = 16

/** Sends a built HTML document with a fresh nonce, and the content security policy that names it. */
export function sendDocument(
  { random }: { random: Random },
  reply: FastifyReply,
  { html, policy }: { html: string; policy(nonce: string): string },
) {
  const nonce = Buffer.from(random.bytes(nonceBytes)).toString('base64')
  return reply
    .header('content-security-policy', policy(nonce))
    .type('text/html; charset=utf-8')
    .send(html.replaceAll(nonceMark, nonce))
}
