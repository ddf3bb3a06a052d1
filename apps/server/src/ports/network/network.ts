/**
 * The network as deliveries use it: names are resolved, and a POST goes out on a connection to an address that has been
 * vetted. Nothing else in the service opens a connection to an address that a customer chose.
 */
export interface Network {
  /** Every A and AAAA answer for the name, asked for as an absolute one. Throws `NameError`. */
  resolve(hostname: string, signal: AbortSignal): Promise<string[]>
  /** One POST, no redirects. What the other side does is never thrown: it is the answer. */
  post(request: PostRequest): Promise<PostAnswer>
  close(): Promise<void>
}

/** An address that the address policy has judged and lets pass. Only the policy makes one. */
export type VettedAddress = string & { readonly isVetted: unique symbol }

export interface PostRequest {
  /** Connections are kept and used again only under the same key: an endpoint's id. */
  connectionsOf: string
  url: URL
  /** Tried in this order until one of them takes the connection; once a byte of the request may have left, no other. */
  addresses: readonly VettedAddress[]
  headers: Record<string, string>
  body: Uint8Array
  /** Covers everything. When it aborts, the answer is a failure `aborted`; whoever aborted it knows why. */
  signal: AbortSignal
  /** Reading ends here, and with it the connection. */
  responseMaxBytes: number
  /** How much of the response is given back. */
  responseKeptBytes: number
}

/** Milliseconds by phase; null for a phase that did not take place (a connection was open already, or it failed before). */
export interface PostPhases {
  /** TCP. */
  connectMs: number | null
  tlsMs: number | null
  /** From the request's first byte to the end of the response's headers. */
  responseMs: number | null
  bodyMs: number | null
}

export interface PostAnswer {
  /** The address that was dialled last; null when none was. */
  address: string | null
  phases: PostPhases
  /** The status when there was a whole response (or one that was cut off at `responseMaxBytes`). */
  status: number | null
  /** The first `responseKeptBytes` of the body. */
  response: Uint8Array
  /** Why there was no whole response. */
  failure: PostFailure | null
}

/** Coarse on purpose: what a customer reads here must not tell an open port from a closed one. */
export type PostFailure =
  | { kind: 'aborted' }
  | { kind: 'connection_failed' }
  /** `detail`: OpenSSL's or Node's code, as CERT_HAS_EXPIRED. */
  | { kind: 'tls_failed'; detail: string }
  /** The connection ended before the response did, or what came was not HTTP/1.1. */
  | { kind: 'response_broken' }

/** A name that leads nowhere. `isFinal`: the name does not exist or has no address; otherwise asking again may help. */
export class NameError extends Error {
  override readonly name = 'NameError'
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}
