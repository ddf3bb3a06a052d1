/** The operator's identity provider, as far as sign-in needs it (OpenID Connect, authorization code with PKCE). */
export interface OidcProvider {
  /** The label of the sign-in button. */
  name: string
  issuer: string
  /** People with a verified address in one of these domains join without an invitation. */
  allowedDomains: readonly string[]
  /** Whether the provider decides who is an admin of the first organization. */
  managesRoles: boolean
  /** Where the browser is sent. */
  authorizationUrl(request: OidcRequest & { redirectUri: string }): Promise<URL>
  /** The person who came back to this URL. Throws `OidcError` if anything is not valid. */
  readPerson(callback: URL, request: OidcRequest): Promise<OidcPerson>
}

/** Binds an answer to the browser that made the request. */
export interface OidcRequest {
  state: string
  nonce: string
  codeVerifier: string
}

export interface OidcPerson {
  subject: string
  email: string | null
  isEmailVerified: boolean
  name: string | null
  /** Null if the provider doesn't manage roles. */
  isAdmin: boolean | null
  /** The names of groups. Null, or left out, if the provider doesn't manage them. */
  groups?: string[] | null
  /** By name. Null, or left out, if the provider doesn't manage them. */
  attributes?: Record<string, string> | null
}

/** `isRefused`: the person, or the provider, declined; everything else is an error. */
export class OidcError extends Error {
  override readonly name = 'OidcError'
  readonly isRefused: boolean

  constructor(message: string, isRefused: boolean, cause?: unknown) {
    super(message, { cause })
    this.isRefused = isRefused
  }
}

export interface OidcSettings {
  issuer: string
  clientId: string
  clientSecret: string
  name: string
  allowedDomains: readonly string[]
  /** Which claim has a person's roles, as a path such as `realm_access.roles`, and which of them is the admin's. */
  roles?: { claim: string; admin: string } | null
  /** Which claim has the names of a person's groups. */
  groupsClaim?: string | null
  /** Which claim has the value of each attribute. */
  attributes?: readonly { name: string; claim: string }[]
}
