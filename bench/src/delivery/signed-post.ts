import { Pool } from 'undici'
import { signatureHeaders, signingKey } from '@querypost/server/background-work'
import type { BenchEndpoint } from './endpoints.ts'

/** One signed POST with undici: the work of the bare loop and of the peers' jobs. */
export type SignedPost = (delivery: PlainDelivery) => Promise<void>

export interface PlainDelivery {
  /** The index of the endpoint. */
  endpoint: number
  eventId: string
  body: string
}

export interface SignedPostOptions {
  endpoints: BenchEndpoint[]
  connectionsEach: number
  authority: string
}

/** Throws if the response is not 2xx. Uses `dispatch`, the cheapest API of undici, without a body stream. */
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
            else reject(new Error(`The receiver answered ${status}.`))
          },
          onResponseError: (_controller, error) => reject(error),
        },
      )
    })
}
