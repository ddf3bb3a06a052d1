import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'

export interface PostAnswer {
  status: number
  /** The target of a redirect. */
  location: string | undefined
  /** The beginning of the body. */
  text: string
}

const responseMaxBytes = 64 * 1024

/**
 * Sends a POST as a delivery does: only the given headers and those of the connection, no redirects, at most 64 KiB of the response.
 * (`fetch` would add browser headers.) Rejects when there is no complete response.
 */
export function post(options: {
  url: URL
  headers: Record<string, string>
  body: Uint8Array
  signal: AbortSignal
}): Promise<PostAnswer> {
  const { url, body, signal } = options
  const headers = { ...options.headers, 'content-length': String(body.byteLength) }
  const send = url.protocol === 'https:' ? requestSecure : requestPlain
  return new Promise((resolve, reject) => {
    // A new connection each time: reusing one that the receiver is about to close would look like a failing receiver.
    const request = send(url, { method: 'POST', headers, agent: false, signal }, (response) => {
      const { statusCode: status = 0, headers: answered } = response
      const pieces: Buffer[] = []
      let sizeBytes = 0
      const { location } = answered
      const finish = () => resolve({ status, location, text: Buffer.concat(pieces).toString('utf8') })
      response.on('data', (piece: Buffer) => {
        pieces.push(piece)
        sizeBytes += piece.byteLength
        if (sizeBytes < responseMaxBytes) return
        finish()
        request.destroy()
      })
      response.on('end', finish)
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(body)
  })
}
