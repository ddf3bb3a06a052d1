import type { ErrorPosition } from '../../model/run.ts'
import { withEllipsis } from '../../ports/cut-text.ts'
import { EngineError, type EngineErrorKind } from '../engine.ts'
import { excerptAt } from '../error-excerpt.ts'
import { ServerUnavailable } from '../http/server-unavailable.ts'

export const noSnowflake = 'The server that answered is not Snowflake. Check the host.'

/** An error with the code that the server gives it. */
export class SnowflakeError extends EngineError {
  readonly code: string

  constructor(kind: EngineErrorKind, message: string, options: { code: string; position?: ErrorPosition | null; cause?: unknown }) {
    super(kind, message, options)
    this.code = options.code
  }
}

/** The same request may succeed a moment later. */
export class ServerBusy extends ServerUnavailable {
  constructor() {
    super('Snowflake is overloaded or limits the requests of this account. Try again later.', { wasConnected: false })
  }
}

const maxLength = 1000
/** `003001`: insufficient privileges. */
const refusals = new Set(['003001'])
/** The server counts from the first character of a line, which is at position 0. */
const placePattern = /(?:error )?line (\d+) at position (\d+)\s*/

export interface Failure {
  code?: string
  message?: string
}

/** The failure of a statement: status 422. */
export function describeFailure({ code = '', message = 'The statement failed.' }: Failure, sql: string): SnowflakeError {
  const position = positionIn(message, sql)
  const text = withEllipsis(
    message
      .replace(/^SQL (compilation|execution) error:\s*/, '')
      .replace(placePattern, position ? '' : '$&')
      .trim(),
    maxLength,
  )
  const kind = refusals.has(code) ? 'refused' : 'failed'
  return new SnowflakeError(kind, position ? `${text}\n${excerptAt(sql, position)}` : text, { code, position })
}

function positionIn(message: string, sql: string): ErrorPosition | null {
  const place = placePattern.exec(message)
  if (!place) return null
  const [line, column] = [Number(place[1]), Number(place[2]) + 1]
  const text = sql.split('\n')[line - 1]
  return text === undefined || column > text.length + 1 ? null : { line, column }
}

/** A response that is neither a result nor the failure of a statement. */
export function describeStatus(status: number, { message = '' }: Failure): EngineError {
  const reason = withEllipsis(message.replaceAll(/\s+/g, ' ').trim(), 200)
  const says = reason === '' ? '' : ` Snowflake says: ${reason}`
  if (status === 401) {
    return new SnowflakeError('unreachable', `Authentication failed. Check the user, the account and the private key or token.${says}`, { code: 'UNAUTHORIZED' })
  }
  if (status === 403) {
    const message = `Snowflake denied access. Check the host, and that its network policy allows this service.${says}`
    return new SnowflakeError('unreachable', message, { code: 'ACCOUNT_NOT_FOUND' })
  }
  if (status >= 300 && status < 400) {
    return new EngineError('unreachable', 'The server redirects to another address, which is not followed. Enter that address instead.')
  }
  if (status === 429 || status === 502 || status === 503 || status === 504) return new ServerBusy()
  if (status === 400 && reason !== '') return new EngineError('unreachable', `Snowflake rejected the request.${says}`)
  return new ServerUnavailable(noSnowflake, { wasConnected: false })
}
