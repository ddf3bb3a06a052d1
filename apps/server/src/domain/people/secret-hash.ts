import { hash } from 'node:crypto'

/** The stored form of a session token or an API key. Both are long and random, so a fast hash is enough. */
export function secretHash(secret: string): Buffer {
  return hash('sha256', secret, 'buffer')
}
