import type { Range } from './ranges.ts'

/** What this installation adds to the fixed rules. */
export interface AddressRules {
  /** BASE_URL: the service does not deliver to itself. */
  ownUrl: URL
  /**
   * WEBHOOK_ALLOWED_NETWORKS: the operator's exception for private receivers. It is about addresses, never about
   * names or https.
   */
  allowedNetworks: readonly Range[]
}

/** What a rule says: either it passes, or the fault in words for whoever chose the address. */
export type Judged<Passing> = Passing | { fault: string }
