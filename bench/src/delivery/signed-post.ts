import { Pool } from 'undici'
import { signatureHeaders, signingKey } from '@querypost/server/background-work'
import type { BenchEndpoint } from './endpoints.ts'

/** One signed POST with undici and nothing else: what the bare loop repeats, and what the peers' jobs do. */
export type SignedPost = (delivery: PlainDelivery) => Promise<void>

export interface PlainDelivery {
  /** The endpoint's place in the list. */
  endpoint: number
  eventId: string
  body: string
}

export interface SignedPostOptions {
  endpoints: BenchEndpoint[]
  connectionsEach: number
  authority: string
}

/** Throws when the answer is not 2xx. The least that undici can be asked for: `dispatch`, no stream for the body. */
export function makeSignedPost({ endpoints, connectionsEach, authority }: SignedPostOptions): SignedPost {
  const targets = endpoints.map(({ url, secret }) => {
    const { origin, pathname } = new URL(url)
    const pool = new Pool(origin, { connections: connectionsEach, pipelining: 1, connect: { ca: authority } })
    return { pool, pathname, key: signingKey(secret) }
  })
  return ({ endpoint, eventId, body: text }) =>
    new Promise((resolve, reject) => {
      const { pool, pathname, key } = targets[endpoint]!
      const body = Buffer.from(text)
      const headers = {
        'content-type': 'application/json',
        'user-agent': 'Querypost-Webhooks/1',
        'accept-encoding': 'identity',
        ...signatureHeaders({ eventId, now: new Date(), body, key }),
      }
      let status = 0
      pool.dispatch(
        { method: 'POST', path: pathname, headers, body },
        {
          onRequestStart() {},
          onResponseStart(_controller, statusCode) {
            status = statusCode
          },
          onResponseData() {},
          onResponseEnd() {
            if (status >= 200 && status < 300) resolve()
            else reject(new Error(`The answer was ${status}.`))
          },
          onResponseError: (_controller, error) => reject(error),
        },
      )
    })
}
