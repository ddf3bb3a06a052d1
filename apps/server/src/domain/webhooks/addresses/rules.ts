import type { Range } from './ranges.ts'

/** What this installation adds to the fixed rules. */
export interface AddressRules {
  /** BASE_URL: the service does not deliver to itself. */
  ownUrl: URL
  /** WEBHOOK_ALLOWED_NETWORKS: the operator's exception for private receivers. It applies to addresses, never to names or https. */
  allowedNetworks: readonly Range[]
}

/** The result of a rule: a pass, or the fault in words for the person who chose the address. */
export type Judged<Passing> = Passing | { fault: string }
