import { createHash } from 'node:crypto'

/** What is stored of a session's token or an API key. Both are long and random, so a fast hash is enough. */
export function secretHash(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
