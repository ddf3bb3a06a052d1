import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Random } from '../../ports/random.ts'

const prefix = 'whsec_'

/** What signs an endpoint's deliveries: 32 random bytes, in the form that Standard Webhooks libraries take. */
export function newSecret(random: Random): string {
  return prefix + Buffer.from(random.bytes(32)).toString('base64')
}

/** The key for the HMAC. As an object it is prepared once and not at every signature. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(secret.slice(prefix.length), 'base64')
}
