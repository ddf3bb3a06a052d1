import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Sealer } from '../sealing.ts'
import { badInput } from './check-text.ts'
import { base32, matchingStep, newTotpKey, totpUri } from './totp.ts'

/**
 * A new key that becomes the second factor once a code shows that the person's app has it. Until then the browser keeps it, encrypted, so
 * nothing is stored for an attempt that is abandoned.
 */
export interface SecondFactorOffer {
  /** For people who cannot scan the QR code. */
  key: string
  /** The content of the QR code. */
  uri: string
  /** To be returned with the code. */
  offer: string
}

const lifetimeMs = 30 * 60_000
const context = (userId: string) => `second factor offered to ${userId}`

export function makeOffer(
  deps: { clock: Clock; random: Random; sealer: Sealer },
  user: { id: string; email: string },
): SecondFactorOffer {
  const key = newTotpKey(deps.random)
  const expiresAtMs = deps.clock.now().getTime() + lifetimeMs
  const content = JSON.stringify({ key: Buffer.from(key).toString('base64url'), expiresAtMs })
  const offer = Buffer.from(deps.sealer.seal(content, context(user.id))).toString('base64url')
  return { key: base32(key), uri: totpUri({ key, issuer: 'Querypost', account: user.email }), offer }
}

/** The offered key and the step of the code. Throws if the code is wrong or the offer is not this person's. */
export function acceptOffer(
  deps: { clock: Clock; sealer: Sealer },
  given: { userId: string; offer: string; code: string },
): { key: Uint8Array; step: number } {
  const now = deps.clock.now()
  const key = keyIn(deps, given)
  const step = matchingStep({ code: given.code.replaceAll(/\s/g, ''), now }, { key, lastUsedStep: 0 })
  if (step === undefined) throw badInput('/code', 'is wrong; enter the code that the app shows now')
  return { key, step }
}

function keyIn({ clock, sealer }: { clock: Clock; sealer: Sealer }, given: { userId: string; offer: string }): Uint8Array {
  try {
    const { key, expiresAtMs } = JSON.parse(sealer.open(Buffer.from(given.offer, 'base64url'), context(given.userId)))
    if (expiresAtMs > clock.now().getTime()) return Buffer.from(key, 'base64url')
  } catch {
    // Not issued for this person.
  }
  throw badInput('/offer', 'has expired; start again')
}
