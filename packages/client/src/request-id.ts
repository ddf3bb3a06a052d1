const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz'

/** A name for a request, so that the caller's log and the service's can be held together. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  return `qpc_${Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')}`
}
