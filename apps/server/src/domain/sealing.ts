import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'
import type { Random } from '../ports/random.ts'

/**
 * Encrypts what must be read again, as customers' secrets, before it is stored: AES-256-GCM under a key derived from SECRET_KEY.
 * The *context* (whose it is) is authenticated with it, so a sealed text that was moved to another row does not open there.
 */
export interface Sealer {
  seal(text: string, context: string): Uint8Array
  /** Throws when the bytes were changed, belong to another context, or were sealed with another SECRET_KEY. */
  open(sealed: Uint8Array, context: string): string
}

/** The form's version, so that another one can be told from it. */
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
