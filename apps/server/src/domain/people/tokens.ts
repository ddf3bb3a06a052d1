import type { Random } from '../../ports/random.ts'

/** The content of a session cookie or a link: 256 random bits. Only its hash is stored. */
export function newToken(random: Random): string {
  return Buffer.from(random.bytes(32)).toString('base64url')
}

/** Text that cannot be a token is never looked up. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)
