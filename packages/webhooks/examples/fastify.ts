// A receiver with Fastify 5.
import { inMemorySeenEvents, verify, type WebhookEvent, WebhookVerificationError } from '@querypost/webhooks'
import fastify from 'fastify'

interface ReceiverOptions {
  /** `whsec_…` from the endpoint's settings; several while you rotate. */
  secret: string | string[]
  /** Store the event or put it on a queue, and return: the response must be sent within 10 seconds. */
  onEvent: (event: WebhookEvent) => unknown
}

export function makeApp({ secret, onEvent }: ReceiverOptions) {
  const app = fastify()
  // With several processes, keep the seen ids in your database: see the README.
  const seen = inMemorySeenEvents()

  // In its own scope, so that other routes still parse JSON: the signature covers the raw bytes.
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))

    scope.post<{ Body: Buffer | undefined }>('/webhooks', async (request, reply) => {
      try {
        // Fastify leaves the body undefined if the request has none.
        const event = await verify({ body: request.body ?? '', headers: request.headers, secret })
        await seen.once(event.id, () => onEvent(event))
        return reply.code(204).send()
      } catch (error) {
        // Fastify answers any other error with 500, and Querypost retries later.
        if (!(error instanceof WebhookVerificationError)) throw error
        return reply.code(error.status).send({ code: error.code })
      }
    })
  })
  return app
}
