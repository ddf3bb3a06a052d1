import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { Random } from '../ports/random.ts'

/**
 * Encrypts values that must be readable again, such as customers' secrets, before they are stored: AES-256-GCM with a key derived
 * from SECRET_KEY. The *context* (whose value it is) is authenticated too, so a sealed text cannot be opened after it was moved to
 * another row.
 */
export interface Sealer {
  seal(text: string, context: string): Uint8Array
  /** Throws if the bytes were changed, belong to another context, or were sealed with another SECRET_KEY. */
  open(sealed: Uint8Array, context: string): string
}

/** The version of the format, to distinguish it from future ones. */
const version = 1
const nonceBytes = 12
const tagBytes = 16

export function makeSealer(options: { secretKey: Uint8Array; random: Random }): Sealer {
  const key = Buffer.from(hkdfSync('sha256', options.secretKey, '', 'querypost sealing v1', 32))
  return {
    seal(text, context) {
      const nonce = options.random.bytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
      const body = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([Uint8Array.of(version), nonce, cipher.getAuthTag(), body])
    },
    open(sealed, context) {
      const bytes = Buffer.from(sealed)
      if (bytes[0] !== version || bytes.length < 1 + nonceBytes + tagBytes) throw new Error('not a sealed text')
      const nonce = bytes.subarray(1, 1 + nonceBytes)
      const tag = bytes.subarray(1 + nonceBytes, 1 + nonceBytes + tagBytes)
      const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: tagBytes })
      decipher.setAAD(Buffer.from(context)).setAuthTag(tag)
      return decipher.update(bytes.subarray(1 + nonceBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}
