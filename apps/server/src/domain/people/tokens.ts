import type { Random } from '../../ports/random.ts'

/** What a session's cookie or a link carries: 256 random bits. Only its hash is stored. */
export function newToken(random: Random): string {
  return Buffer.from(random.bytes(32)).toString('base64url')
}

/** What cannot be a token is not looked for. */
export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)
