// A receiver for anything with Request and Response: Cloudflare Workers, Deno, Bun, Next.js, Hono, SvelteKit.
import { inMemorySeenEvents, verify, type WebhookEvent, WebhookVerificationError } from '@querypost/webhooks'

interface ReceiverOptions {
  /** `whsec_…` from the endpoint's settings; several while you rotate. */
  secret: string | string[]
  /** Store the event or put it on a queue, and return: the response must be sent within 10 seconds. */
  onEvent: (event: WebhookEvent) => unknown
}

export function makeHandler({ secret, onEvent }: ReceiverOptions) {
  // With several processes or workers, keep the seen ids in your database: see the README.
  const seen = inMemorySeenEvents()

  return async (request: Request): Promise<Response> => {
    if (request.method !== 'POST') return new Response(null, { status: 405, headers: { allow: 'POST' } })
    try {
      const event = await verify({ body: await request.arrayBuffer(), headers: request.headers, secret })
      await seen.once(event.id, () => onEvent(event))
      return new Response(null, { status: 204 })
    } catch (error) {
      // The runtime logs any other error and answers 500, and Querypost retries later.
      if (!(error instanceof WebhookVerificationError)) throw error
      return Response.json({ code: error.code }, { status: error.status })
    }
  }
}
