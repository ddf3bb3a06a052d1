import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { Type } from 'typebox'
import { type Answer, beginIdempotentRequest, type FirstServing, type IdempotentDeps } from '../domain/idempotency/idempotent-request.ts'
import { uploadTooLarge } from '../domain/databases/store-upload.ts'
import { Refusal } from '../domain/refusal.ts'
import { addErrorCode } from './responses.ts'
import { spoolUpload } from './spool-upload.ts'
import type { Api } from './typed.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set while a request with an Idempotency-Key is being served for the first time. */
    serving: FirstServing | undefined
  }
}

const headerName = 'idempotency-key'
const keyPattern = /^[\x21-\x7e]{1,255}$/

const Header = Type.Optional(
  Type.String({
    description:
      'A text of your choice, different for each request, of up to 255 visible ASCII characters. If you send the request again with the same key within 24 hours, it has no further effect and gets the same response.',
    examples: ['7f3e7b1a-9c55-4f0d-8b8e-4a11c2d96a01'],
  }),
)

/** Every POST takes an Idempotency-Key. */
export function addIdempotency(api: Api, services: IdempotentDeps): void {
  api.decorateRequest('serving', undefined)
  api.addHook('onRoute', describeHeader)

  // Calls back instead of returning a promise, so that everything that follows runs in the context of the transaction.
  api.addHook('preValidation', (request, reply, done) => {
    const idempotencyKey = keyIn(request)
    if (idempotencyKey === undefined) return done()
    if (!keyPattern.test(idempotencyKey)) return done(invalidKey())
    void begin(request, reply, { idempotencyKey, done })
  })

  async function begin(
    request: FastifyRequest,
    reply: FastifyReply,
    { idempotencyKey, done }: { idempotencyKey: string; done(error?: Error): void },
  ): Promise<void> {
    let begun: Awaited<ReturnType<typeof beginIdempotentRequest>>
    try {
      const requestHash = hashOf(request, await contentOf(request, reply))
      begun = await beginIdempotentRequest(services, { apiKeyId: request.key!.keyId, idempotencyKey, requestHash })
    } catch (error) {
      return done(error as Error)
    }
    if ('answer' in begun) return void reply.send(repeat(reply, begun.answer))
    request.serving = begun.serving
    begun.serving.enter(done)
  }

  api.addHook('onSend', async (request, reply, payload) => {
    const { serving } = request
    if (!serving) return payload
    request.serving = undefined
    if (reply.statusCode >= 300) {
      const earlier = await serving.abandon()
      return earlier ? repeat(reply, earlier) : payload
    }
    if (typeof payload !== 'string') {
      await serving.abandon()
      throw new Error('The response to a POST must be text, so that it can be repeated.')
    }
    const etag = reply.getHeader('etag')
    const answer = { status: reply.statusCode, etag: typeof etag === 'string' ? etag : null, body: payload }
    const sent = await serving.finish(answer)
    return sent === answer ? payload : repeat(reply, sent)
  })
}

/** Sets everything but the body, which it returns. */
function repeat(reply: FastifyReply, { status, etag, body }: Answer): string {
  if (etag !== null) reply.header('etag', etag)
  reply.code(status).header('idempotency-replayed', 'true').type('application/json; charset=utf-8')
  return body
}

function keyIn({ method, headers }: FastifyRequest): string | undefined {
  const given = headers[headerName]
  return method === 'POST' && given !== undefined ? String(given) : undefined
}

/** The body, or its hash if it is a file. The file is then kept on disk until the response is complete. */
async function contentOf(request: FastifyRequest, reply: FastifyReply): Promise<string | Uint8Array> {
  const { body, headers, routeOptions } = request
  if (!(body instanceof Readable)) return JSON.stringify(body) ?? ''
  const maxBytes = routeOptions.config.fileMaxBytes ?? 0
  if (Number(headers['content-length']) > maxBytes) throw uploadTooLarge(maxBytes)
  const spooled = await spoolUpload(body, maxBytes)
  reply.raw.once('close', () => void spooled.remove())
  request.body = spooled.open()
  return spooled.contentHash
}

const hashOf = ({ method, url }: FastifyRequest, content: string | Uint8Array): Uint8Array =>
  createHash('sha256').update(`${method}\n${url}\n`).update(content).digest()

const invalidKey = () => {
  const message = 'must have 1 to 255 visible ASCII characters'
  return new Refusal('invalid_request', `The header Idempotency-Key ${message}.`, [{ path: headerName, message }])
}

function describeHeader(route: RouteOptions): void {
  if (route.method !== 'POST' || !route.schema) return
  const { headers, response } = route.schema as { headers?: { properties: Record<string, never> }; response: Record<string, object> }
  route.schema = {
    ...route.schema,
    headers: Type.Object({ ...headers?.properties, [headerName]: Header }),
    response: addErrorCode(response, 'idempotency_key_reused'),
  }
}
