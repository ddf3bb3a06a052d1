import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** Encodes a value as opaque text, and decodes only the exact texts it issued. */
export interface TextSigner {
  encode(value: unknown): string
  /** Undefined for text that this service did not issue for this purpose. */
  decode(text: string): unknown
}

const signatureBytes = 16

/** `purpose` keeps texts of different uses apart. */
export function makeTextSigner(options: { secretKey: Uint8Array; purpose: string }): TextSigner {
  const key = Buffer.from(hkdfSync('sha256', options.secretKey, '', options.purpose, 32))
  const sign = (payload: Buffer) => createHmac('sha256', key).update(payload).digest().subarray(0, signatureBytes)
  return {
    encode(value) {
      const payload = Buffer.from(JSON.stringify(value))
      return Buffer.concat([sign(payload), payload]).toString('base64url')
    },
    decode(text) {
      const bytes = Buffer.from(text, 'base64url')
      const signature = bytes.subarray(0, signatureBytes)
      const payload = bytes.subarray(signatureBytes)
      // Accept only the exact text that was issued: base64 has several spellings of the same bytes.
      const isOurs =
        bytes.toString('base64url') === text &&
        signature.length === signatureBytes &&
        timingSafeEqual(signature, sign(payload))
      return isOurs ? (JSON.parse(payload.toString()) as unknown) : undefined
    },
  }
}
