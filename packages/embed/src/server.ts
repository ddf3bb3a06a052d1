import { createHmac } from 'node:crypto'

/** A value that the visitor can't change. */
export type LockedValue = string | number | boolean | (string | number | boolean)[]

export interface EmbedTokenOptions {
  /** The key id of an embedding secret, `embed_…`. */
  keyId: string
  secret: string
  /** A query is a `reference`. */
  resource: 'board' | 'reference'
  shortId: string
  /** Locked values by the name of the parameter. `{}` locks nothing: every visitor sees the same rows. */
  parameters: Record<string, LockedValue>
  /** Names of parameters that the visitor may change. */
  viewerParameters?: string[]
  /** Formats in which the visitor may download results. */
  downloads?: ('csv' | 'xlsx' | 'png')[]
  /** At most 24 hours; 10 minutes by default. The frame asks for a new token in time. */
  lifetimeSeconds?: number
  /** For tests. */
  now?: Date
}

export type EmbedTokenErrorCode = 'missing_secret' | 'missing_value' | 'bad_options' | 'lifetime_too_long' | 'token_too_long'

/** The token was not signed. The message never contains the secret or a value. */
export class EmbedTokenError extends Error {
  override readonly name = 'EmbedTokenError'
  readonly code: EmbedTokenErrorCode

  constructor(code: EmbedTokenErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

const maxLifetimeSeconds = 24 * 3600
const maxTokenCharacters = 8 * 1024

/** Signs a token that shows one query or board, with locked values. Call it only on your server, for a visitor who is signed in. */
export function signEmbedToken(options: EmbedTokenOptions): string {
  const { keyId, secret, resource, shortId, parameters, viewerParameters, downloads, lifetimeSeconds = 600, now = new Date() } = options
  if (!isText(secret) || !isText(keyId)) {
    throw new EmbedTokenError('missing_secret', 'keyId and secret are required. Create a secret under Settings → Sharing → Embedding.')
  }
  if ((resource !== 'board' && resource !== 'reference') || !isText(shortId)) {
    throw new EmbedTokenError('bad_options', 'resource must be "board" or "reference", and shortId must name it.')
  }
  if (!Number.isInteger(lifetimeSeconds) || lifetimeSeconds < 1) {
    throw new EmbedTokenError('bad_options', 'lifetimeSeconds must be a whole number of seconds, at least 1.')
  }
  if (lifetimeSeconds > maxLifetimeSeconds) {
    throw new EmbedTokenError('lifetime_too_long', `lifetimeSeconds must be at most ${maxLifetimeSeconds}; it is ${lifetimeSeconds}.`)
  }
  checkValues(parameters)
  const iat = Math.floor(now.getTime() / 1000)
  const header = { alg: 'HS256', kid: keyId }
  const claims = { aud: 'querypost-embed', resource, shortId, parameters, viewerParameters, downloads, iat, exp: iat + lifetimeSeconds }
  const content = `${encode(header)}.${encode(claims)}`
  const token = `${content}.${createHmac('sha256', secret).update(content).digest('base64url')}`
  if (token.length > maxTokenCharacters) {
    throw new EmbedTokenError('token_too_long', `The token has ${token.length} characters; at most ${maxTokenCharacters} are accepted. Lock fewer values.`)
  }
  return token
}

/** JSON leaves out `undefined` and writes `NaN` as null. Either would sign a token that doesn't lock the value. */
function checkValues(parameters: Record<string, LockedValue>): void {
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters)) {
    throw new EmbedTokenError('bad_options', 'parameters must be an object. Pass {} to lock nothing.')
  }
  for (const [name, value] of Object.entries(parameters)) {
    if (![value].flat().every(isValue)) {
      throw new EmbedTokenError('missing_value', `The parameter ${JSON.stringify(name)} has no value that can be locked: use text, a finite number, a boolean or a list of them.`)
    }
  }
}

const isValue = (value: unknown) => typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const encode = (part: object) => Buffer.from(JSON.stringify(part)).toString('base64url')
