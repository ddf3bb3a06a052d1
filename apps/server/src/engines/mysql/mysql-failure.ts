/** Turns errors of the driver and the server into errors for users. */
import { EngineError } from '../engine.ts'
import { rowTooLarge, TooManyBytes } from '../json-bytes.ts'
import { networkFailure, noAnswer } from '../server-failures.ts'
import { positionOf } from './mysql-error-position.ts'

/** A driver error. `code` is always set; `errno` and `sqlMessage` only when the error comes from the server. */
interface DriverError extends Error {
  code?: string
  errno?: number
  sqlMessage?: string
  fatal?: boolean
}

/** Server errors that are not about the statement: the server is shutting down or closes the connection. */
const closingErrors = new Set([1053, 1077, 1079, 1080, 1152, 1158, 1159, 1160, 1161, 1184, 1927, 4031])

/** A write in a read-only transaction, and servers started with --read-only or without file access. */
const refusals = new Set([1290, 1792, 1836])

/** Statements that cannot be prepared are never ones that read. */
const notPreparable = 1295

/** The server's own statement timeout. */
const timeouts = new Set([1969, 3024])

export function isLost(error: unknown): boolean {
  const { code, errno, sqlMessage, fatal } = error as DriverError
  return sqlMessage === undefined ? code !== undefined || fatal === true : closingErrors.has(errno ?? 0)
}

export function statementFailure(error: unknown, sql: string): EngineError {
  if (error instanceof EngineError) return error
  if (error instanceof TooManyBytes) return new EngineError('failed', rowTooLarge)
  if (isLost(error)) {
    const reason = 'The connection to the database was lost before the result was complete.'
    return new EngineError('unreachable', reason, { cause: error })
  }
  const { errno = 0, sqlMessage } = error as DriverError
  if (sqlMessage === undefined) return new EngineError('failed', 'The result could not be read.', { cause: error })
  const message = withoutHosts(sqlMessage)
  const isRefused = refusals.has(errno) || errno === notPreparable
  if (isRefused) return new EngineError('refused', message, { cause: error })
  const reason = timeouts.has(errno) ? `The database stopped the statement: ${message}` : message
  return new EngineError('failed', reason, { cause: error, position: positionOf({ errno, message: sqlMessage, sql }) })
}

/** Removes the client address, which is the service's own, from messages: `'reader'@'10.0.0.5'`. */
function withoutHosts(message: string): string {
  return message.replaceAll(/('[^']*')@'[^']*'/g, '$1').replaceAll(/^Host '[^']*' /g, 'This service ')
}

/** The server has answered, and another server with the same data would give the same answer. */
class FinalError extends EngineError {}

export function isFinal(error: unknown): boolean {
  return error instanceof FinalError
}

/** Too many connections, host blocked after errors, shutting down. */
const temporaryErrors = new Set([1040, 1053, 1129, 1203])

const hints: Record<number, string> = {
  1044: 'Grant the user access to it, or choose another database.',
  1045: 'Check the user and the password.',
  1049: 'Check the name of the database.',
  1130: 'Allow the user to connect from the host where this service runs.',
  1698: 'The user does not log in with a password. Set a password for it.',
}

export function dialFailure(error: unknown, { isTooSlow }: { isTooSlow: boolean }): EngineError {
  if (isTooSlow) return new EngineError('unreachable', noAnswer, { cause: error })
  if (error instanceof EngineError) return error
  const { code = '', errno = 0, sqlMessage, message } = error as DriverError
  if (sqlMessage !== undefined) {
    const reason = [asSentence(withoutHosts(sqlMessage)), hints[errno]].filter(Boolean).join(' ')
    return new (temporaryErrors.has(errno) ? EngineError : FinalError)('unreachable', reason, { cause: error })
  }
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT') {
    const reason = 'The database server does not offer TLS. Enable it there, or turn TLS off here.'
    return new FinalError('unreachable', reason, { cause: error })
  }
  // The driver replaces the code that says what is wrong with the certificate by its own.
  if (code === 'HANDSHAKE_SSL_ERROR') {
    const reason = `The TLS handshake with the database server failed: ${asSentence(message)}`
    return new FinalError('unreachable', reason, { cause: error })
  }
  const reason = networkFailure(error) ?? 'The database server closed the connection before it was ready.'
  return new EngineError('unreachable', reason, { cause: error })
}

const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
