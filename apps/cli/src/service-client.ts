import {
  AuthenticationError,
  ConnectionError,
  PermissionError,
  Querypost,
  QuerypostError,
  RouteRetiredError,
  TimeoutError,
} from '@querypost/client'
import { Complaint, type Context } from './command.ts'
import { readConnection } from './service-connection.ts'

/** A client of the service that the environment names. `maxRetries`: 0 where people want to hear at once of a failure. */
export function openClient(
  context: Pick<Context, 'environment' | 'url' | 'fetch' | 'clock'>,
  options: { maxRetries?: number } = {},
): Querypost {
  const { baseUrl, apiKey } = readConnection(context)
  const { fetch, clock } = context
  return new Querypost({ baseUrl, apiKey, fetch, clock, ...options })
}

/** What the service, or the way to it, refused, in the service's own words. Anything else is a fault of ours and stays one. */
export function asComplaint(error: unknown): unknown {
  if (!(error instanceof QuerypostError)) return error
  const refusals = [ConnectionError, TimeoutError, AuthenticationError, PermissionError, RouteRetiredError]
  const isUnreachable = refusals.some((kind) => error instanceof kind)
  const seeAlso = error.documentationUrl === undefined ? '' : `\n  ${error.documentationUrl}`
  return new Complaint(isUnreachable ? 3 : 1, `${error.message}${seeAlso}`)
}
