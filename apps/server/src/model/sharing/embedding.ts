/**
 * Words:
 * - A site *embeds* a query or a board by showing it in a frame. Only sites with a listed *origin* can.
 * - The server of that site signs a *token* (a JWT) for each visitor with an *embedding secret*. The token names the item and *locks*
 *   values of its parameters: the visitor cannot change them.
 */
export interface EmbedSecret {
  /** The `kid` of tokens. */
  id: string
  name: string
  createdBy: { id: string; name: string }
  createdAt: Date
  /** Accurate to the minute; null if never used. */
  lastUsedAt: Date | null
  /** Null unless it was replaced: tokens that it signed are accepted until then. */
  expiresAt: Date | null
}

export const embedAudience = 'querypost-embed'

export const embedLimits = {
  /** Of an organization. */
  secrets: 10,
  origins: 50,
  /** How long a token may be valid. */
  tokenLifetimeMs: 24 * 3600_000,
  /** How far the clock of the signing server may be ahead. */
  clockSkewMs: 60_000,
  tokenCharacters: 8 * 1024,
  overlapHours: 7 * 24,
  /** Runs that all visitors with tokens of one secret start together. */
  runs: { perHour: 3_000, secondsPerDay: 4 * 3600 },
} as const
