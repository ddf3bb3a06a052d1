import type { Role } from './people.ts'

/** Who asks: a person at the pages, or a program with that person's API key. Everything it may see is of one organization. */
export interface Caller {
  organizationId: string
  userId: string
  role: Role
  /** Names the caller in a run's `triggerId`: `user_…` or `key_…`. */
  triggerId: string
  /** Where the request came from that this caller makes; whoever has none acts within the service, for that person. */
  origin?: Origin
}

/** What the audit log keeps of a request. */
export interface Origin {
  /** The client's: the socket's, or what a proxy named in TRUST_PROXY says. */
  address: string | null
  requestId: string
}
