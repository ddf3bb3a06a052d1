import { stepAt, totpCode } from '../../src/domain/people/totp.ts'
import { turnOnSecondFactor } from '../../src/domain/people/second-factor.ts'
import { makeOffer } from '../../src/domain/people/second-factor-offers.ts'
import type { SignInDeps } from '../../src/domain/people/sessions.ts'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** As an authenticator app decodes a key that was typed in. */
export function bytesOfBase32(text: string): Uint8Array {
  const bits = Array.from(text, (character) => alphabet.indexOf(character).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/.{8}/g)!, (eight) => Number.parseInt(eight, 2))
}

/** An authenticator app with this key. */
export const appWith = (key: string, clock: { now(): Date }) => ({
  /** The code that it shows now, or this many steps later. */
  code: (later = 0) => totpCode(bytesOfBase32(key), stepAt(clock.now()) + later),
})

export async function setUpSecondFactor(
  deps: SignInDeps,
  user: { id: string; email: string },
  token: string,
): Promise<{ key: string; code: string; recoveryCodes: string[] }> {
  const { key, offer } = makeOffer(deps, user)
  const code = appWith(key, deps.clock).code()
  const given = { userId: user.id, offer, code, token }
  return { key, code, recoveryCodes: await turnOnSecondFactor({ ...deps, mail: null }, given) }
}
