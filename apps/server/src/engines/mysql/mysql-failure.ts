/** What the driver and the server say, as the errors that people see. */
import { EngineError } from '../engine.ts'
import { rowTooLarge, TooManyBytes } from '../json-bytes.ts'
import { networkFailure, noAnswer } from '../server-failures.ts'
import { positionOf } from './mysql-error-position.ts'

/** Of the driver: `errno` and `sqlMessage` when the server said it, `code` always. */
interface DriverError extends Error {
  code?: string
  errno?: number
  sqlMessage?: string
  fatal?: boolean
}

/** Errors of the server that are not about the statement: it is going away, or ends the connection. */
const goodbyes = new Set([1053, 1077, 1079, 1080, 1152, 1158, 1159, 1160, 1161, 1184, 1927, 4031])

/** A read-only transaction, and a server started read-only or without files. */
const refusals = new Set([1290, 1792, 1836])

/** Statements that may not be prepared are not among those that read. */
const unsupportedInPreparing = 1295

/** The server's own limit, which its operator has set. */
const timeouts = new Set([1969, 3024])

export function isLost(error: unknown): boolean {
  const { code, errno, sqlMessage, fatal } = error as DriverError
  return sqlMessage === undefined ? code !== undefined || fatal === true : goodbyes.has(errno ?? 0)
}

export function statementFailure(error: unknown, sql: string): EngineError {
  if (error instanceof EngineError) return error
  if (error instanceof TooManyBytes) return new EngineError('failed', rowTooLarge)
  if (isLost(error)) {
    const words = 'The connection to the database was lost before the result was complete.'
    return new EngineError('unreachable', words, { cause: error })
  }
  const { errno = 0, sqlMessage } = error as DriverError
  if (sqlMessage === undefined) return new EngineError('failed', 'The result could not be read.', { cause: error })
  const message = withoutHosts(sqlMessage)
  const isRefused = refusals.has(errno) || errno === unsupportedInPreparing
  if (isRefused) return new EngineError('refused', message, { cause: error })
  const words = timeouts.has(errno) ? `The database stopped the statement: ${message}` : message
  return new EngineError('failed', words, { cause: error, position: positionOf({ errno, message: sqlMessage, sql }) })
}

/** The server names its clients with their address, which is one of ours: `'reader'@'10.0.0.5'`. */
function withoutHosts(message: string): string {
  return message.replaceAll(/('[^']*')@'[^']*'/g, '$1').replaceAll(/^Host '[^']*' /g, 'This service ')
}

/** The server has given an answer, and another that holds the same data would give it too. */
class FinalAnswer extends EngineError {}

export function isFinal(error: unknown): boolean {
  return error instanceof FinalAnswer
}

/** Too many connections, blocked for its errors, going down. */
const noRoom = new Set([1040, 1053, 1129, 1203])

const hints: Record<number, string> = {
  1044: 'Grant the user access to it, or name another database.',
  1045: 'Check the user and the password.',
  1049: 'Check the name of the database.',
  1130: 'The user must be allowed to connect from where this service runs.',
  1698: 'The user logs in by other means than a password; give it one.',
}

export function dialFailure(error: unknown, { isTooSlow }: { isTooSlow: boolean }): EngineError {
  if (isTooSlow) return new EngineError('unreachable', noAnswer, { cause: error })
  if (error instanceof EngineError) return error
  const { code = '', errno = 0, sqlMessage, message } = error as DriverError
  if (sqlMessage !== undefined) {
    const words = [asSentence(withoutHosts(sqlMessage)), hints[errno]].filter(Boolean).join(' ')
    return new (noRoom.has(errno) ? EngineError : FinalAnswer)('unreachable', words, { cause: error })
  }
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT') {
    const words = 'The database server does not offer TLS. Set it up there, or switch TLS off here.'
    return new FinalAnswer('unreachable', words, { cause: error })
  }
  // The driver puts its own code in the place of the one that says what is wrong with the certificate.
  if (code === 'HANDSHAKE_SSL_ERROR') {
    const words = `The database server cannot be trusted, or does not agree on TLS: ${asSentence(message)}`
    return new FinalAnswer('unreachable', words, { cause: error })
  }
  const words = networkFailure(error) ?? 'The database server hung up before a connection was made.'
  return new EngineError('unreachable', words, { cause: error })
}

const asSentence = (text: string) => (/[.!?]$/.test(text) ? text : `${text}.`)
