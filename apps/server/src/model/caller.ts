import type { Access } from './access.ts'
import type { Role } from './people.ts'

/** The caller of a request: a person using the pages, or a program with that person's API key. It sees one organization only. */
export interface Caller {
  organizationId: string
  userId: string
  role: Role
  /** Names the caller in a run's `triggerId`: `user_…` or `key_…`. */
  triggerId: string
  /** Where the request came from; without it, the service itself acts on behalf of that person. */
  origin?: Origin
  /** Set for a member of an organization that restricts who may see what. */
  access?: Access
  /** Set for an API key that belongs to groups. Then the role is `member`, also if the key's member is an admin. */
  groupKey?: GroupKey
  /** The id of the admin who views the pages as this member. Then nothing can be changed. */
  viewedBy?: string
  /** Set while files are applied, the only way to change the items that they manage. */
  appliesFiles?: true
}

export interface GroupKey {
  id: string
  groupIds: string[]
}

/** What the audit log keeps of a request. */
export interface Origin {
  /** The client's address: from the socket, or from a proxy listed in TRUST_PROXY. */
  address: string | null
  requestId: string
}
