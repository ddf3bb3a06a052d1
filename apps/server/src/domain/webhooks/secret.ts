import { createSecretKey, type KeyObject } from 'node:crypto'
import type { Random } from '../../ports/random.ts'

const prefix = 'whsec_'

/** The secret that signs an endpoint's deliveries: 32 random bytes, in the format of Standard Webhooks libraries. */
export function newSecret(random: Random): string {
  return prefix + Buffer.from(random.bytes(32)).toString('base64')
}

/** The HMAC key. A key object is prepared once instead of at every signature. */
export function signingKey(secret: string): KeyObject {
  return createSecretKey(secret.slice(prefix.length), 'base64')
}
