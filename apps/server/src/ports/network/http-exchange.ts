import type { Clock } from '../clock.ts'
import type { Connection } from './connections.ts'
import type { PostRequest } from './network.ts'

export interface Exchanged {
  /** Whether a complete response arrived, or as much of it as may be read. */
  isAnswered: boolean
  /** Whether the connection can take another request. */
  isWhole: boolean
  /** Whether any response bytes arrived. */
  hasBytes: boolean
  status: number | null
  response: Uint8Array
  responseMs: number | null
  bodyMs: number | null
}

const noBytes = new Uint8Array(0)

/** One request and its response on one connection. Never rejects; a connection that cannot be reused is closed. */
export function exchange(connection: Connection, request: PostRequest, clock: Clock): Promise<Exchanged> {
  return new Promise((resolve) => {
    const { client, gate } = connection
    const { url, signal, responseMaxBytes, responseKeptBytes } = request
    let writtenMs: number | null = null
    let headersMs: number | null = null
    let status: number | null = null
    let readBytes = 0
    let response = noBytes
    let isSettled = false

    function settle(isAnswered: boolean, isWhole: boolean): void {
      if (isSettled) return
      isSettled = true
      signal.removeEventListener('abort', abort)
      const nowMs = clock.monotonicMs()
      if (!isWhole) connection.close()
      resolve({
        isAnswered,
        isWhole,
        hasBytes: writtenMs !== null && gate.hasBytes(),
        status,
        response,
        responseMs: writtenMs === null ? null : (headersMs ?? nowMs) - writtenMs,
        bodyMs: headersMs === null ? null : nowMs - headersMs,
      })
    }

    function abort(): void {
      settle(false, false)
    }

    if (signal.aborted) return abort()
    signal.addEventListener('abort', abort)
    client.dispatch(
      { method: 'POST', path: url.pathname + url.search, headers: request.headers, body: request.body },
      {
        onRequestStart() {
          // Right before the first byte is written: anything that arrived earlier is not an answer, and ends the connection.
          gate.expect()
          writtenMs = clock.monotonicMs()
        },
        onResponseStart(_controller, statusCode) {
          headersMs = clock.monotonicMs()
          status = statusCode
        },
        onResponseData(_controller, chunk) {
          if (isSettled) return
          readBytes += chunk.length
          const room = responseKeptBytes - response.length
          // Copied, because a slice would keep all of undici's buffer in memory.
          if (room > 0) response = Buffer.concat([response, chunk.subarray(0, room)])
          if (readBytes >= responseMaxBytes) settle(true, false)
        },
        onResponseEnd: () => settle(true, true),
        onResponseError: () => settle(false, false),
      },
    )
  })
}
