import { WebhookVerificationError } from './errors.ts'

/** The body exactly as received. A string stands for its UTF-8 bytes. */
export type RawBody = string | ArrayBuffer | ArrayBufferView

/** Copies `prefix` and the raw body into new memory, so that the verified bytes cannot change if the caller reuses its buffer. */
export function joinBytes(prefix: string, body: RawBody): Uint8Array<ArrayBuffer> {
  const first = new TextEncoder().encode(prefix)
  const second = rawBytes(body)
  const joined = new Uint8Array(first.length + second.length)
  joined.set(first)
  joined.set(second, first.length)
  return joined
}

// Checked by type tag instead of `instanceof`: test runners and workers pass buffers from another realm.
function rawBytes(body: unknown): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body as ArrayBuffer)
  const given = body === null || body === undefined ? `is ${String(body)}` : `is of type ${typeof body}`
  throw new WebhookVerificationError(
    'body_not_raw',
    `The body ${given}, but the signature covers the raw bytes of the request. Pass the bytes or the text that came ` +
      `over the wire, before any JSON parsing: express.raw(), a Fastify parser with parseAs 'buffer', or ` +
      `await request.arrayBuffer().`,
  )
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}

/** Undefined unless the text is canonical base64: with padding, without spaces or stray bits. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) return undefined
  const bytes = Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  return toBase64(bytes) === text ? bytes : undefined
}
