/**
 * Which model an organization's agents ask, and where.
 *
 * The key is sealed for its organization, provider and *origin* (scheme, host and port of the base URL), so it opens
 * for no other: whoever changes the address has to give the key anew, and nobody can have a stored key sent to a host
 * of their own. It leaves the service only in requests to that origin.
 */
export const modelProviders = ['openai_compatible', 'anthropic'] as const
export type ModelProvider = (typeof modelProviders)[number]

/** What everybody in the organization may see. */
export interface ModelSettings {
  provider: ModelProvider
  baseUrl: string
  model: string
  hasApiKey: boolean
  updatedAt: Date
}

/** What it takes to ask the model. */
export interface ModelAccess {
  provider: ModelProvider
  baseUrl: string
  model: string
  apiKey: string | null
}
