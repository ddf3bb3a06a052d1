import type { ErrorPosition } from '../../model/run.ts'
import { withEllipsis } from '../../ports/cut-text.ts'
import { EngineError, type EngineErrorKind } from '../engine.ts'
import { excerptAt } from '../error-excerpt.ts'
import { ServerUnavailable } from '../http/server-unavailable.ts'
import type { TrinoFailure } from './trino-page.ts'

export const noTrino = 'The server that answered is not a Trino coordinator. Check the host and the port.'

/** An error with the name that the server gives it. */
export class TrinoError extends EngineError {
  readonly code: string

  constructor(kind: EngineErrorKind, message: string, options: { code: string; position?: ErrorPosition | null }) {
    super(kind, message, options)
    this.code = options.code
  }
}

/** By the protocol, the same request may succeed a moment later. */
export class ServerBusy extends ServerUnavailable {
  constructor() {
    super('The server is overloaded or starting. Try again later.', { wasConnected: false })
  }
}

const refusals = new Set(['PERMISSION_DENIED', 'READ_ONLY_VIOLATION'])
const outages = new Set(['SERVER_STARTING_UP', 'SERVER_SHUTTING_DOWN', 'NO_NODES_AVAILABLE'])
const maxLength = 1000
/** The parser lists every token it would have accepted, which in most places is all of SQL. */
const expectedLength = 160

export function describeFailure(failure: TrinoFailure, sql: string): TrinoError {
  const { message = 'The statement failed.', errorName: code = 'GENERIC_INTERNAL_ERROR' } = failure
  const position = positionOf(failure, sql)
  const text = withEllipsis(
    message
      .replace(/^line \d+:\d+: /, '')
      .replace(/ Expecting: ([\s\S]*)$/, (list) => (list.length > expectedLength ? '' : list)),
    maxLength,
  )
  const kind = refusals.has(code) ? 'refused' : outages.has(code) ? 'unreachable' : 'failed'
  return new TrinoError(kind, position ? `${text}\n${excerptAt(sql, position)}` : text, { code, position })
}

/** The server counts characters, which may be two UTF-16 code units. */
function positionOf({ errorLocation }: TrinoFailure, sql: string): ErrorPosition | null {
  if (!errorLocation) return null
  const { lineNumber: line, columnNumber } = errorLocation
  const text = sql.split('\n')[line - 1]
  if (text === undefined) return null
  return { line, column: Array.from(text).slice(0, columnNumber - 1).join('').length + 1 }
}

/** A response that is not a page of a result. */
export function describeStatus(status: number, text: string): EngineError {
  const reason = withEllipsis(text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ').trim(), 200)
  if (status === 401) {
    const message = `Authentication failed. Check the user and the password or token.${reason ? ` The server says: ${reason}` : ''}`
    return new TrinoError('unreachable', message, { code: 'UNAUTHORIZED' })
  }
  if (status === 403) return new EngineError('unreachable', `The server denied access.${reason ? ` It says: ${reason}` : ''}`)
  if (status >= 300 && status < 400) {
    return new EngineError('unreachable', 'The server redirects to another address, which is not followed. Enter that address instead.')
  }
  if (status === 502 || status === 503 || status === 504 || status === 429) return new ServerBusy()
  return new ServerUnavailable(noTrino, { wasConnected: false })
}
