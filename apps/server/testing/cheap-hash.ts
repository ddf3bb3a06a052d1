import { scryptSync } from 'node:crypto'

/**
 * A password as it is stored. A hash says what it costs to check, and the usual cost, at every sign-in of every test, would be
 * minutes of a whole run; what real ones cost is a matter of the tests beside `passwords.ts`.
 */
export function cheapHash(password: string): string {
  const salt = Buffer.alloc(16, 's')
  const digest = scryptSync(password, salt, 32, { N: 2 ** 4, r: 8, p: 1 })
  return `scrypt$ln=4,r=8,p=1$${salt.toString('base64url')}$${digest.toString('base64url')}`
}
