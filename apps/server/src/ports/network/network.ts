/**
 * The network as used by deliveries: names are resolved, and a POST is sent over a connection to a vetted address. Nothing else in
 * the service connects to an address chosen by a customer.
 */
export interface Network {
  /** Every A and AAAA answer for the name, which is always absolute. Throws `NameError`. */
  resolve(hostname: string, signal: AbortSignal): Promise<string[]>
  /** One POST, no redirects. Failures of the other side are never thrown but returned. */
  post(request: PostRequest): Promise<PostAnswer>
  close(): Promise<void>
}

/** An address that has passed the address rules. Only the rules create one. */
export type VettedAddress = string & { readonly isVetted: unique symbol }

export interface PostRequest {
  /** Connections are kept and reused only under the same key: an endpoint's id. */
  connectionsOf: string
  url: URL
  /** Tried in order until one accepts the connection; once a byte of the request may have been sent, no other is tried. */
  addresses: readonly VettedAddress[]
  headers: Record<string, string>
  body: Uint8Array
  /** Covers everything. If it aborts, the failure is `aborted`; the caller knows why. */
  signal: AbortSignal
  /** Reading stops here, and the connection ends. */
  responseMaxBytes: number
  /** How much of the response is returned. */
  responseKeptBytes: number
}

/** Milliseconds by phase; null for a phase that did not happen (the connection was already open, or an earlier phase failed). */
export interface PostPhases {
  /** TCP. */
  connectMs: number | null
  tlsMs: number | null
  /** From the request's first byte to the end of the response headers. */
  responseMs: number | null
  bodyMs: number | null
}

export interface PostAnswer {
  /** The address that was dialed last; null if none was. */
  address: string | null
  phases: PostPhases
  /** The status, if there was a complete response (or one cut off at `responseMaxBytes`). */
  status: number | null
  /** The first `responseKeptBytes` of the body. */
  response: Uint8Array
  /** Why there was no complete response. */
  failure: PostFailure | null
}

/** Deliberately coarse: it must not let a customer tell an open port from a closed one. */
export type PostFailure =
  | { kind: 'aborted' }
  | { kind: 'connection_failed' }
  /** `detail`: OpenSSL's or Node's code, such as CERT_HAS_EXPIRED. */
  | { kind: 'tls_failed'; detail: string }
  /** The connection ended before the response did, or the response was not HTTP/1.1. */
  | { kind: 'response_broken' }

/** A name that was not resolved. `isFinal`: the name does not exist or has no address; otherwise a retry may help. */
export class NameError extends Error {
  override readonly name = 'NameError'
  readonly isFinal: boolean

  constructor(message: string, isFinal: boolean) {
    super(message)
    this.isFinal = isFinal
  }
}
