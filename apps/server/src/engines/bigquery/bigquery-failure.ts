import type { ErrorPosition } from '../../model/run.ts'
import { withEllipsis } from '../../ports/cut-text.ts'
import { EngineError, type EngineErrorKind } from '../engine.ts'
import { excerptAt } from '../error-excerpt.ts'
import { ServerUnavailable } from '../http/server-unavailable.ts'

export const noBigquery = 'The server that answered is not BigQuery. Check the host and the port.'

/** An error with the reason that the server gives, as its code. */
export class BigqueryError extends EngineError {
  readonly code: string

  constructor(kind: EngineErrorKind, message: string, options: { reason: string; position?: ErrorPosition | null }) {
    super(kind, message, options)
    this.code = options.reason
  }
}

export interface BigqueryFailure {
  message?: string
  reason?: string
}

const kinds: Record<string, EngineErrorKind> = {
  accessDenied: 'refused',
  bytesBilledLimitExceeded: 'refused',
  stopped: 'stopped',
  backendError: 'unreachable',
  internalError: 'unreachable',
}
const maxLength = 1000

export function describeFailure({ message = 'The statement failed.', reason = 'unknown' }: BigqueryFailure, sql: string): BigqueryError {
  const position = positionIn(message, sql)
  const text = withEllipsis(message.replace(/ at \[\d+:\d+\]/, ''), maxLength)
  return new BigqueryError(kindOf(reason, message), position ? `${text}\n${excerptAt(sql, position)}` : text, { reason, position })
}

/** A project that is missing, or in which the account may run nothing, can't be used at all. A table can still be corrected. */
function kindOf(reason: string, message: string): EngineErrorKind {
  return /^(?:Not found|Access Denied): Project /.test(message) ? 'unreachable' : (kinds[reason] ?? 'failed')
}

/** The server counts characters, which may be two UTF-16 code units. */
function positionIn(message: string, sql: string): ErrorPosition | null {
  const [, line, column] = /\[(\d+):(\d+)\]/.exec(message) ?? []
  const text = sql.split('\n')[Number(line) - 1]
  if (text === undefined) return null
  return { line: Number(line), column: Array.from(text).slice(0, Number(column) - 1).join('').length + 1 }
}

/** A response that is not a success. `sql` is the statement, if the request has one. */
export function describeStatus(status: number, body: string, sql = ''): EngineError {
  if (status >= 300 && status < 400) {
    return new EngineError('unreachable', 'The server redirects to another address, which is not followed. Enter that address instead.')
  }
  const error = errorIn(body)
  if (!error) return new ServerUnavailable(status >= 500 ? 'BigQuery cannot answer. Try again later.' : noBigquery, { wasConnected: false })
  const { message, errors: [first] = [] } = error
  if (status === 401) {
    return new BigqueryError('unreachable', `Authentication failed. Check the key. The server says: ${message}`, { reason: 'authError' })
  }
  return describeFailure({ message, reason: first?.reason ?? (status >= 500 ? 'backendError' : 'unknown') }, sql)
}

function errorIn(body: string): { message: string; errors?: { reason?: string }[] } | undefined {
  try {
    const { error } = JSON.parse(body) as { error?: { message?: unknown; errors?: { reason?: string }[] } }
    return typeof error?.message === 'string' ? { ...error, message: error.message } : undefined
  } catch {
    return undefined
  }
}
