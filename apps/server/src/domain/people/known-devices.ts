import { createHash } from 'node:crypto'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { makeTextSigner } from '../pagination/signed-text.ts'

/**
 * A *device cookie* shows that a browser has signed in to an account before. It grants no access; it only gives the browser its own
 * budget of failed sign-ins, which strangers cannot use up (the OWASP device cookie).
 *
 * - It holds up to four *entries*, for people who share a browser or have several accounts, each signed with SECRET_KEY.
 * - An entry is bound to one account and its current password: after a password change, all devices are strangers until they sign
 * in.
 * - An entry is valid for a year from the last sign-in. Signing out does not end it.
 */
export interface KnownDevices {
  /** The device's id, if the cookie has a valid entry for this account. Does the same work if there is no user. */
  recognize(cookie: string | undefined, user: { id: string; passwordHash: string | null } | undefined): string | undefined
  /** The cookie after a sign-in: a device keeps its id, and the entries of other accounts stay. */
  remember(cookie: string | undefined, signedIn: { userId: string; passwordStamp: string }): { value: string; expiresAt: Date }
}

const lifetimeMs = 365 * 24 * 3600_000
const entriesMax = 4

interface Entry {
  userId: string
  deviceId: string
  passwordStamp: string
  issuedAtMs: number
}

export function makeKnownDevices(deps: { secretKey: Uint8Array; clock: Clock; random: Random }): KnownDevices {
  const { clock, random } = deps
  const signer = makeTextSigner({ secretKey: deps.secretKey, purpose: 'querypost device cookie v1' })

  function entriesOf(cookie: string | undefined): { text: string; entry: Entry }[] {
    const texts = (cookie ?? '').split('.', entriesMax).filter((text) => text !== '')
    return texts.flatMap((text) => {
      const entry = signer.decode(text) as Entry | undefined
      const isValid = entry !== undefined && clock.now().getTime() < entry.issuedAtMs + lifetimeMs
      return isValid ? [{ text, entry }] : []
    })
  }

  return {
    recognize(cookie, user) {
      const entries = entriesOf(cookie)
      if (!user) return undefined
      const stamp = passwordStamp(user.passwordHash)
      return entries.find(({ entry }) => entry.userId === user.id && entry.passwordStamp === stamp)?.entry.deviceId
    },
    remember(cookie, { userId, passwordStamp: stamp }) {
      const entries = entriesOf(cookie)
      const known = entries.find(({ entry }) => entry.userId === userId && entry.passwordStamp === stamp)
      const deviceId = known?.entry.deviceId ?? Buffer.from(random.bytes(16)).toString('base64url')
      const issuedAtMs = clock.now().getTime()
      const own = signer.encode({ userId, deviceId, passwordStamp: stamp, issuedAtMs } satisfies Entry)
      const others = entries.filter(({ entry }) => entry.userId !== userId).map(({ text }) => text)
      return { value: [own, ...others].slice(0, entriesMax).join('.'), expiresAt: new Date(issuedAtMs + lifetimeMs) }
    },
  }
}

/** Changes with the password but reveals nothing about it: the hash it is made of contains a random salt. */
export function passwordStamp(passwordHash: string | null): string {
  return createHash('sha256').update(passwordHash ?? '').digest('base64url').slice(0, 22)
}
