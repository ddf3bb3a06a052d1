import type { FastifyReply, FastifyRequest } from 'fastify'
import { isKnown } from './send-result.ts'

/** Sends an image, or 304 if the caller has it. The same tag always means the same image. */
export async function sendImage(
  request: FastifyRequest,
  reply: FastifyReply,
  image: { tag: string; contentType: string; cacheControl: string; read(): Promise<Buffer> },
) {
  reply.header('etag', `"${image.tag}"`).header('cache-control', image.cacheControl)
  if (isKnown(request.headers['if-none-match'], image.tag)) return reply.code(304).send()
  return reply.type(image.contentType).send(await image.read())
}
