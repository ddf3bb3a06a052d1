/**
 * Which model an organization's agents use, and where.
 *
 * The key is encrypted for its organization, provider and *origin* (scheme, host and port of the base URL) and can be decrypted for
 * no other. So changing the address requires entering the key again, and nobody can have a stored key sent to their own host. It
 * leaves the service only in requests to that origin.
 */
export const modelProviders = ['openai_compatible', 'anthropic'] as const
export type ModelProvider = (typeof modelProviders)[number]

/** What every member of the organization may see. */
export interface ModelSettings {
  provider: ModelProvider
  baseUrl: string
  model: string
  hasApiKey: boolean
  updatedAt: Date
}

/** What is needed to call the model. */
export interface ModelAccess {
  provider: ModelProvider
  baseUrl: string
  model: string
  apiKey: string | null
}
