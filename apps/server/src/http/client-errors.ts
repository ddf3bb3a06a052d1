import type { Socket } from 'node:net'
import { newId } from '../domain/ids.ts'
import type { Log } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import { errorBody } from './errors.ts'

/**
 * Answers what Node could not read as HTTP at all: it reaches no route and no hook, and still gets an error of the usual
 * shape before the connection is closed.
 */
export function makeClientErrorHandler(options: { baseUrl: string; random: Random; log: Pick<Log, 'info'> }) {
  return (error: Error & { code?: string }, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
    const requestId = newId(options.random, 'req')
    options.log.info({ requestId, err: error }, 'a request could not be read')
    const body = JSON.stringify(errorBody({ baseUrl: options.baseUrl, code: 'invalid_request', message: messageOf(error) }))
    socket.end(
      [
        'HTTP/1.1 400 Bad Request',
        `x-request-id: ${requestId}`,
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

function messageOf({ code }: { code?: string }): string {
  if (code === 'HPE_HEADER_OVERFLOW') return 'The address and headers are larger than 16 KiB. Send less.'
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'The request took too long to arrive. Send it again.'
  return 'The request is not HTTP that can be read. Check its first line and its headers.'
}
