/**
 * Words:
 * - A *delivery* is one event for one endpoint. It is *pending* until an attempt succeeds (*delivered*), its eighth fails
 *   (*exhausted*), or its endpoint is disabled before either (*held*).
 * - An *attempt* is one request. It counts when what came of it is recorded; one that a dying worker took along is made again.
 * - A *lease* is a worker's right to make one attempt, until it expires.
 */
export const deliveryStates = ['pending', 'delivered', 'exhausted', 'held'] as const
export type DeliveryState = (typeof deliveryStates)[number]

/** A recorded attempt, as it stands in the log. */
export interface Attempt {
  /** 1 to 8. */
  number: number
  /** When it began; ISO 8601. */
  at: string
  durationMs: number
  /** Milliseconds by phase; null for a phase that did not take place. */
  phases: {
    dnsMs: number | null
    connectMs: number | null
    tlsMs: number | null
    responseMs: number | null
    bodyMs: number | null
  }
  /** What signed the request; null when it did not come to that. Recorded, since the secret may be another by now. */
  signed: { timestamp: string; signature: string } | null
  /** The address that was dialled; null when none was. */
  address: string | null
  status: number | null
  /** The beginning of the response's body, as text. */
  response: string
  /** Null when it succeeded. */
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
