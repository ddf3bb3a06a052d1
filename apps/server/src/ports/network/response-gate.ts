import type { TLSSocket } from 'node:tls'

/**
 * Sits between a connection and undici's parser and removes informational responses (100, 103 and so on), which any server may send
 * before the final one: undici breaks the connection on a 100 that it did not ask for. It also knows whether any bytes have arrived
 * since the request.
 */
export interface ResponseGate {
  /** A request is about to be written. */
  expect(): void
  /** Whether a byte has arrived since. */
  hasBytes(): boolean
}

/** Limit for all informational responses before the final one. */
const maxInformationalBytes = 65_536
const headEnd = Buffer.from('\r\n\r\n')
const versionStart = Buffer.from('HTTP/1.')
/** As in `HTTP/1.1 103`. */
const startBytes = 12
const statusAt = 9

export function gateResponses(socket: TLSSocket): ResponseGate {
  const read = socket.read.bind(socket) as () => Buffer | null
  let isExpecting = false
  let hasBytes = false
  let informationalBytes = 0
  /** The start of a head that cannot be classified yet, or an informational one that is not complete. */
  let held: Buffer | null = null

  socket.read = (): Buffer | null => {
    for (;;) {
      const chunk = read()
      if (chunk === null || !isExpecting) return chunk
      hasBytes = true
      const rest = withoutInformational(held ? Buffer.concat([held, chunk]) : chunk)
      if (rest) return rest
    }
  }

  /** Null if more has to arrive first. */
  function withoutInformational(bytes: Buffer): Buffer | null {
    for (;;) {
      held = bytes
      if (bytes.length < startBytes && isStartOfHead(bytes)) return null
      if (bytes.length < startBytes || !isInformational(bytes)) break
      const end = bytes.indexOf(headEnd)
      if (informationalBytes + (end === -1 ? bytes.length : end) > maxInformationalBytes) {
        socket.destroy()
        return null
      }
      if (end === -1) return null
      informationalBytes += end + headEnd.length
      bytes = bytes.subarray(end + headEnd.length)
    }
    held = null
    isExpecting = false
    return bytes
  }

  return {
    expect() {
      isExpecting = true
      hasBytes = false
      informationalBytes = 0
      held = null
    },
    hasBytes: () => hasBytes,
  }
}

function isStartOfHead(bytes: Buffer): boolean {
  const length = Math.min(bytes.length, versionStart.length)
  return versionStart.compare(bytes, 0, length, 0, length) === 0
}

/** A 101 is not one of them: it ends HTTP on this connection, which was not requested. */
function isInformational(bytes: Buffer): boolean {
  if (bytes[statusAt] !== 0x31 || !isStartOfHead(bytes)) return false
  return !(bytes[statusAt + 1] === 0x30 && bytes[statusAt + 2] === 0x31)
}
