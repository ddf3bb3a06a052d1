// A receiver with Express 5.
import { inMemorySeenEvents, verify, type WebhookEvent, WebhookVerificationError } from '@querypost/webhooks'
import express from 'express'

interface ReceiverOptions {
  /** `whsec_…` from the endpoint's settings; several while you rotate. */
  secret: string | string[]
  /** Store the event or put it on a queue, and return: the response must be sent within 10 seconds. */
  onEvent: (event: WebhookEvent) => unknown
}

export function makeApp({ secret, onEvent }: ReceiverOptions) {
  const app = express()
  // With several processes, keep the seen ids in your database: see the README.
  const seen = inMemorySeenEvents()

  // On this route only, and before any app.use(express.json()): the signature covers the raw bytes.
  app.post('/webhooks', express.raw({ type: () => true, limit: '1mb' }), async (request, response) => {
    try {
      // Express leaves the body undefined if the request has none.
      const event = await verify({ body: request.body ?? '', headers: request.headers, secret })
      await seen.once(event.id, () => onEvent(event))
      response.sendStatus(204)
    } catch (error) {
      // Express answers any other error with 500, and Querypost retries later.
      if (!(error instanceof WebhookVerificationError)) throw error
      response.status(error.status).json({ code: error.code })
    }
  })
  return app
}
