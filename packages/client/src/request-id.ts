const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZabcdefghjkmnpqrstvwxyz'

/** A request id, so that the caller's log and the service's can be matched. */
export function newRequestId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(20))
  return `qpc_${Array.from(bytes, (byte) => alphabet[byte % alphabet.length]).join('')}`
}
