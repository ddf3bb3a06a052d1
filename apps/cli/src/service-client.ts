import {
  AuthenticationError,
  ConnectionError,
  PermissionError,
  Querypost,
  QuerypostError,
  RouteRetiredError,
  TimeoutError,
} from '@querypost/client'
import { CommandError, type Context } from './command.ts'
import { readConnection } from './service-connection.ts'

/** A client for the service that `--url` or the environment names. `maxRetries: 0` reports a failure at once. */
export function openClient(
  context: Pick<Context, 'environment' | 'url' | 'fetch' | 'clock'>,
  options: { maxRetries?: number } = {},
): Querypost {
  const { baseUrl, apiKey } = readConnection(context)
  const { fetch, clock } = context
  return new Querypost({ baseUrl, apiKey, fetch, clock, ...options })
}

/** Turns an error of the client into a message for the user. Other errors are bugs and stay as they are. */
export function toCommandError(error: unknown): unknown {
  if (!(error instanceof QuerypostError)) return error
  const connectionErrors = [ConnectionError, TimeoutError, AuthenticationError, PermissionError, RouteRetiredError]
  const isConnectionError = connectionErrors.some((kind) => error instanceof kind)
  const seeAlso = error.documentationUrl === undefined ? '' : `\n  ${error.documentationUrl}`
  return new CommandError(isConnectionError ? 3 : 1, `${error.message}${seeAlso}`)
}
