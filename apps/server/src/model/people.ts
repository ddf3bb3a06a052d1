import type { Scope } from './api-key-scope.ts'
import type { CostLimits } from './cost-limits.ts'

export type Role = 'admin' | 'member'

/** How a person was identified when a session started: all but `oidc` rely on a password. */
export type SignInMethod = 'password' | 'oidc' | 'invitation' | 'password_reset' | 'welcome'

/** What an API key may do, until when, and from where. */
export interface ApiKeyLimits {
  scopes: Scope[]
  /** Null: never. */
  expiresAt: Date | null
  /** CIDR blocks; null: any address. */
  allowedNetworks: string[] | null
  /** The key sees what these groups may see; null: what its member may see. */
  groupIds: string[] | null
}

/** The purpose of a link in an e-mail. */
export type LinkPurpose = 'welcome' | 'password_reset'

export interface Organization {
  id: string
  name: string
  /** The feature switch for webhooks: if off, no event is delivered and endpoints can be neither viewed nor changed. */
  webhooksEnabled: boolean
  /** The colors of charts, such as #1d4a51; null for the product's own. */
  chartPalette: string[] | null
  /** If off, no public link of the organization can be opened. */
  publicLinksEnabled: boolean
  /** If on, each member may upload files into a database of their own. */
  memberUploadsEnabled: boolean
  costLimits: CostLimits
  /** If on, people who sign in with a password need a second factor. */
  secondFactorRequired: boolean
  /** If on, people sign in with the identity provider instead of a password. */
  ssoRequired: boolean
}
