import { scryptSync } from 'node:crypto'

/** A fraction of a millisecond. At the usual cost, the sign-ins of all tests would take minutes. The tests of `passwords.ts` cover that. */
export const cheapCost = { ln: 4, r: 8, p: 1 }

/** A password hash with minimal cost, which the hash states. */
export function cheapHash(password: string): string {
  const { ln, r, p } = cheapCost
  const salt = Buffer.alloc(16, 's')
  const digest = scryptSync(password, salt, 32, { N: 2 ** ln, r, p })
  return `scrypt$ln=${ln},r=${r},p=${p}$${salt.toString('base64url')}$${digest.toString('base64url')}`
}
