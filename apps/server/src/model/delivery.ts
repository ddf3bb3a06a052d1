/**
 * Words:
 * - A *delivery* is one event for one endpoint. It is *pending* until an attempt succeeds (*delivered*), its eighth fails
 *   (*exhausted*), or its endpoint is disabled before either (*held*).
 * - An *attempt* is one request. It counts when its outcome is recorded; an attempt lost with a dying worker is made again.
 * - A *lease* is a worker's right to make one attempt, until it expires.
 */
export const deliveryStates = ['pending', 'delivered', 'exhausted', 'held'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** A recorded attempt, as shown in the log. */
export interface Attempt {
  /** 1 to 8. */
  number: number
  /** When it started; ISO 8601. */
  at: string
  durationMs: number
  /** Milliseconds by phase; null for a phase that did not happen. */
  phases: {
    dnsMs: number | null
    connectMs: number | null
    tlsMs: number | null
    responseMs: number | null
    bodyMs: number | null
  }
  /** The signature of the request; null if nothing was signed. Recorded because the secret may have changed since. */
  signed: { timestamp: string; signature: string } | null
  /** The address that was dialed; null if none was. */
  address: string | null
  status: number | null
  /** The start of the response body, as text. */
  response: string
  /** Null if it succeeded. */
  failure: AttemptFailure | null
}

export interface AttemptFailure {
  kind:
    | 'address_refused'
    | 'name_not_resolved'
    | 'connection_failed'
    | 'tls_failed'
    | 'response_broken'
    | 'deadline_passed'
    | 'status_not_2xx'
    | 'secret_unreadable'
    | 'internal_error'
  /** For people. */
  message: string
}
