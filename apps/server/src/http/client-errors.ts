import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { newId } from '../domain/ids.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import { type ErrorCode, errorCodes } from '../model/error-code.ts'
import { errorBody } from './errors.ts'

/** Node's error for a request that it could not parse. */
interface ClientError extends Error {
  code?: string
  /** The last packet, and how much of it was parsed. */
  rawPacket?: Buffer
  bytesParsed?: number
}

interface Rejection {
  code: ErrorCode
  message: string
  allow?: string
}

export type ExplainUnknownMethod = (asked: { method: string; url: string }) => Rejection

/**
 * Responds to requests that Node could not parse or that did not arrive in time. They reach no route and no hook, but still get an error
 * in the usual format before the connection is closed. Node has a fixed list of methods; `explainUnknownMethod` handles all others.
 */
export function makeClientErrorHandler(options: {
  baseUrl: string
  random: Random
  log: Pick<Log, 'info'>
  explainUnknownMethod: ExplainUnknownMethod
}) {
  return (given: Error & { code?: string }, socket: Socket): void => {
    // Fastify's type describes the packet in its JSON form.
    const error = given as ClientError
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const requestId = newId(options.random, 'req')
    options.log.info({ requestId, err: error }, 'request unreadable')
    const asked = readUnknownMethod(error)
    const { code, message, allow } = asked ? options.explainUnknownMethod(asked) : explain(error)
    const body = JSON.stringify(errorBody({ baseUrl: options.baseUrl, code, message }))
    const status = errorCodes[code].status
    socket.end(
      [
        `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
        `x-request-id: ${requestId}`,
        ...(allow === undefined ? [] : [`allow: ${allow}`]),
        'content-type: application/json; charset=utf-8',
        `content-length: ${Buffer.byteLength(body)}`,
        'x-content-type-options: nosniff',
        'cache-control: no-store',
        'connection: close',
        '',
        body,
      ].join('\r\n'),
    )
  }
}

/** Reads the first line of a request that is valid HTTP apart from its method. */
function readUnknownMethod({ code, rawPacket, bytesParsed }: ClientError): { method: string; url: string } | undefined {
  if (code !== 'HPE_INVALID_METHOD' || !rawPacket) return undefined
  const line = /^([\w!#$%&'*+.^`|~-]{1,40}) (\/[!-~]*) HTTP\/1\.[01]\r?\n/.exec(rawPacket.toString('latin1', 0, 16 * 1024))
  const [, method, url] = line ?? []
  // Another request may precede it in the same packet.
  if (method === undefined || url === undefined || (bytesParsed ?? 0) > method.length) return undefined
  return { method, url }
}

function explain({ code }: ClientError): Rejection {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { code: 'request_timeout', message: 'The request took too long to arrive. Send it again.' }
  }
  return { code: 'invalid_request', message: messageOf(code) }
}

function messageOf(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The URL and headers are larger than 16 KiB. Make them shorter.'
  return 'The request is not valid HTTP. Check its first line and its headers.'
}
