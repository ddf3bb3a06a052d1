import { scryptSync } from 'node:crypto'

/**
 * A password hash with minimal cost. A hash states its own cost, and at the usual cost the sign-ins of all tests would take minutes.
 * The tests of `passwords.ts` cover the real cost.
 */
export function cheapHash(password: string): string {
  const salt = Buffer.alloc(16, 's')
  const digest = scryptSync(password, salt, 32, { N: 2 ** 4, r: 8, p: 1 })
  return `scrypt$ln=4,r=8,p=1$${salt.toString('base64url')}$${digest.toString('base64url')}`
}
