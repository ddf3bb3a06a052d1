import { createHash } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import type { Draw } from './sign-in-limits.ts'

/** The source of a password attempt. */
export type SignInAttempt =
  /** At the sign-in page, or with an invitation. */
  | { account: string; address: string | null; deviceId?: string | undefined }
  /** A signed-in person who must enter the current password. */
  | { sessionId: string }
  /** Someone who knows the password of this user and must enter a code of the second factor. */
  | { codeOf: string; deviceId?: string | undefined }
  /** A viewer of a public link that has a password. */
  | { linkId: string; address: string | null }

/** The budgets of an attempt, the preferred way first. */
export function waysOf(attempt: SignInAttempt): Draw[][] {
  if ('sessionId' in attempt) return [[{ limit: 'session', key: `session:${attempt.sessionId}` }]]
  if ('codeOf' in attempt) {
    const stranger: Draw[] = [{ limit: 'code', key: `code:${attempt.codeOf}` }]
    if (attempt.deviceId === undefined) return [stranger]
    return [[{ limit: 'codeOnDevice', key: `code-device:${attempt.deviceId}` }], stranger]
  }
  if ('linkId' in attempt) {
    const network = networkOf(attempt.address)
    return [
      [
        { limit: 'networkOnLink', key: `pair:${hashOf(`${network} ${attempt.linkId}`)}` },
        { limit: 'link', key: `link:${attempt.linkId}` },
        { limit: 'network', key: `network:${network}` },
      ],
    ]
  }
  const account = hashOf(normalEmail(attempt.account))
  const network = networkOf(attempt.address)
  const stranger: Draw[] = [
    { limit: 'networkOnAccount', key: `pair:${hashOf(`${network} ${account}`)}` },
    { limit: 'account', key: `account:${account}` },
    { limit: 'network', key: `network:${network}` },
  ]
  if (attempt.deviceId === undefined) return [stranger]
  return [[{ limit: 'device', key: `device:${attempt.deviceId}` }], stranger]
}

/**
 * What one party controls: an IPv4 address, or the /64 of an IPv6 address, within which its owner can choose any address. If there
 * is no address, the client has disconnected and nobody reads the response.
 */
export function networkOf(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return 'unknown'
  const parsed = ipaddr.process(address)
  if (parsed.kind() === 'ipv4') return parsed.toString()
  const [first, second, third, fourth] = (parsed as ipaddr.IPv6).parts.map((part) => part.toString(16))
  return `${first}:${second}:${third}:${fourth}::/64`
}

const normalEmail = (email: string) => email.trim().toLowerCase()

/** Short, of fixed length whatever is typed, and without anyone's e-mail. */
const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url')
