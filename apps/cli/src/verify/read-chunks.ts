/** Decodes a body in chunked transfer encoding (RFC 9112, 7.1). Undefined if it is not chunked or incomplete. */
export function readChunks(bytes: Uint8Array): Uint8Array<ArrayBuffer> | undefined {
  const parts: Uint8Array[] = []
  let at = 0
  for (;;) {
    const end = bytes.indexOf(0x0a, at)
    if (end === -1) return undefined
    const size = /^([0-9a-fA-F]{1,8})\s*(;.*)?$/.exec(Buffer.from(bytes.subarray(at, end)).toString('latin1').trimEnd())
    if (!size) return undefined
    const length = Number.parseInt(size[1]!, 16)
    if (length === 0) return Uint8Array.from(Buffer.concat(parts))
    if (end + 1 + length > bytes.length) return undefined
    parts.push(bytes.subarray(end + 1, end + 1 + length))
    at = end + 1 + length
    if (bytes[at] === 0x0d) at++
    if (bytes[at] !== 0x0a) return undefined
    at++
  }
}
