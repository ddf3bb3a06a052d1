import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { newId } from '../domain/ids.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import { type ErrorCode, errorCodes } from '../model/error-code.ts'
import { errorBody } from './errors.ts'

/** What Node tells about a request that it could not read. */
interface ClientError extends Error {
  code?: string
  /** What arrived last, and how much of it could be read. */
  rawPacket?: Buffer
  bytesParsed?: number
}

interface Verdict {
  code: ErrorCode
  message: string
  allow?: string
}

export type UnknownMethodJudge = (asked: { method: string; url: string }) => Verdict

/**
 * Answers requests that Node could not read as HTTP, or that did not arrive in time: they reach no route and no hook, and still get an
 * error of the usual shape before the connection is closed. Node knows a fixed list of methods; `judgeUnknownMethod` answers for others.
 */
export function makeClientErrorHandler(options: {
  baseUrl: string
  random: Random
  log: Pick<Log, 'info'>
  judgeUnknownMethod: UnknownMethodJudge
}) {
  return (given: Error & { code?: string }, socket: Socket): void => {
    // Fastify describes the packet as what it would be in JSON.
    const error = given as ClientError
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const requestId = newId(options.random, 'req')
    options.log.info({ requestId, err: error }, 'a request could not be read')
    const asked = readUnknownMethod(error)
    const { code, message, allow } = asked ? options.judgeUnknownMethod(asked) : judge(error)
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

/** The first line of a request that is HTTP but for its method. */
function readUnknownMethod({ code, rawPacket, bytesParsed }: ClientError): { method: string; url: string } | undefined {
  if (code !== 'HPE_INVALID_METHOD' || !rawPacket) return undefined
  const line = /^([\w!#$%&'*+.^`|~-]{1,40}) (\/[!-~]*) HTTP\/1\.[01]\r?\n/.exec(rawPacket.toString('latin1', 0, 16 * 1024))
  const [, method, url] = line ?? []
  // Another request may have come before it in the same packet.
  if (method === undefined || url === undefined || (bytesParsed ?? 0) > method.length) return undefined
  return { method, url }
}

function judge({ code }: ClientError): Verdict {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { code: 'request_timeout', message: 'The request took too long to arrive. Send it again.' }
  }
  return { code: 'invalid_request', message: messageOf(code) }
}

function messageOf(code: string | undefined): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The address and headers are larger than 16 KiB. Send less.'
  return 'The request is not HTTP that can be read. Check its first line and its headers.'
}
