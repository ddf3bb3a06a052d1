import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Random } from '../../ports/random.ts'

/**
 * Time-based one-time passwords (RFC 6238) with the parameters that every authenticator app supports: SHA-1, 6 digits, 30 seconds. A
 * *step* is one of these intervals, counted from 1970.
 */
const stepMs = 30_000
const digits = 6
const keyBytes = 20
/** For clocks that are up to 30 seconds off. */
const toleratedSteps = 1

export const newTotpKey = (random: Random): Uint8Array => random.bytes(keyBytes)

export const stepAt = (time: Date): number => Math.floor(time.getTime() / stepMs)

export function totpCode(key: Uint8Array, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', key).update(counter).digest()
  const offset = digest.at(-1)! & 0xf
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The step that this code belongs to. Undefined if it is wrong, too old, or not newer than the last used one. */
export function matchingStep(
  given: { code: string; now: Date },
  factor: { key: Uint8Array; lastUsedStep: number },
): number | undefined {
  const current = stepAt(given.now)
  const code = Buffer.from(given.code)
  let found: number | undefined
  for (let step = current - toleratedSteps; step <= current + toleratedSteps; step++) {
    const expected = Buffer.from(totpCode(factor.key, step))
    const isMatch = code.length === expected.length && timingSafeEqual(code, expected)
    if (isMatch && step > factor.lastUsedStep) found ??= step
  }
  return found
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Base32 without padding, as authenticator apps expect it. */
export function base32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  return (bits.match(/.{1,5}/g) ?? []).map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')
}

/** The content of the QR code. The label names the service and the account in the app. */
export function totpUri(options: { key: Uint8Array; issuer: string; account: string }): string {
  const { issuer, account } = options
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${base32(options.key)}&issuer=${encodeURIComponent(issuer)}`
}
