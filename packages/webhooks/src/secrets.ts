import { fromBase64 } from './bytes.ts'
import { WebhookVerificationError } from './errors.ts'

const prefix = 'whsec_'
// Querypost creates 32 bytes; the Standard Webhooks specification allows 24 to 64.
const minKeyBytes = 24
const maxKeyBytes = 64
const isItSet = 'is the environment variable it comes from set?'
const copyIt = "copy all of it from the endpoint's settings"

/** One key for each secret: the bytes after `whsec_`. */
export function readSecrets(secret: string | readonly string[]): Uint8Array<ArrayBuffer>[] {
  const secrets: readonly unknown[] = Array.isArray(secret) ? secret : [secret]
  if (secrets.length === 0) throw refuse('No secret was given', "pass the endpoint's secret, or several while rotating")
  return secrets.map((text, index) => readSecret(text, secrets.length > 1 ? `Secret ${index + 1}` : 'The secret'))
}

// The messages describe the text and never quote it, because they end up in logs.
function readSecret(text: unknown, which: string): Uint8Array<ArrayBuffer> {
  if (typeof text !== 'string') {
    throw refuse(`${which} is ${text === null ? 'null' : typeof text}, not a string`, isItSet)
  }
  if (text === '') throw refuse(`${which} is empty`, isItSet)
  if (text.trim() !== text) throw refuse(`${which} has whitespace around it`, 'remove it; it is often a line break')
  if (!text.startsWith(prefix)) throw refuse(`${which} does not begin with ${prefix}`, copyIt)
  const key = fromBase64(text.slice(prefix.length))
  if (!key) throw refuse(`${which} is not base64 after ${prefix}`, copyIt)
  if (key.length < minKeyBytes || key.length > maxKeyBytes) {
    throw refuse(`${which} has ${key.length} bytes, not ${minKeyBytes} to ${maxKeyBytes}`, copyIt)
  }
  return key
}

function refuse(what: string, remedy: string) {
  return new WebhookVerificationError('bad_secret', `${what}: ${remedy}${remedy.endsWith('?') ? '' : '.'}`)
}
