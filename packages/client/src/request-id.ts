const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz'

/** A request id, so that the caller's log and the service's can be matched. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  return `qpc_${Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')}`
}

/** A UUID. `crypto.randomUUID` is missing in pages that are served without TLS. */
export function newIdempotencyKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  bytes[6] = (bytes[6]! & 0x0f) | 0x40
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
