import { badInput } from '../../people/check-text.ts'
import type { ModelProvider } from '../../../model/model-settings.ts'

const defaultBaseUrls: Record<ModelProvider, string | null> = {
  openai_compatible: null,
  anthropic: 'https://api.anthropic.com/v1',
}

const urlMaxLength = 2048
const keyMaxLength = 4096

/**
 * Returns the base URL as it is stored: parsed, without a trailing slash. Only its form is checked here. The rules on allowed
 * addresses and plain http are applied when a connection is made.
 */
export function checkBaseUrl(provider: ModelProvider, given: string | undefined): string {
  const text = given ?? defaultBaseUrls[provider]
  if (text === null) throw badInput('/baseUrl', 'is required for this provider, such as https://api.example.com/v1')
  const url = text.length <= urlMaxLength ? URL.parse(text) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw badInput('/baseUrl', 'must be an address that begins with https://, such as https://api.example.com/v1')
  }
  if (url.username !== '' || url.password !== '') {
    throw badInput('/baseUrl', 'must not carry a user name or password; give the key as apiKey')
  }
  // `hash` and `search` are empty for a bare '#' or '?' at the end; anywhere else the parser has encoded them.
  if (/[?#]/.test(url.href)) {
    throw badInput('/baseUrl', 'must end before any ? or #: paths such as /chat/completions are appended to it')
  }
  return url.href.replace(/\/+$/, '')
}

/** Limited to what a header can carry, since it is sent in one. */
export function checkApiKey(given: string): string {
  const key = given.trim()
  if (key.length < 1 || key.length > keyMaxLength || !/^[\x21-\x7e]+$/.test(key)) {
    throw badInput('/apiKey', `must be 1 to ${keyMaxLength} letters, digits and signs without spaces`)
  }
  return key
}
