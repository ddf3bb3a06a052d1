import { EngineError } from '../engine.ts'
import { networkFailure } from '../server-failures.ts'

/** The connection failed, was lost before a response came, or reached something else than the database. */
export class ServerUnavailable extends EngineError {
  readonly wasConnected: boolean

  constructor(message: string, options: { wasConnected: boolean; cause?: unknown }) {
    super('unreachable', message, { cause: options.cause })
    this.wasConnected = options.wasConnected
  }
}

/** `wrongServer`: the message if the response is not the database's. */
export function describeUnavailable(error: unknown, wrongServer: string): ServerUnavailable {
  // Errors from dialing already have a message for people.
  if (error instanceof EngineError) return new ServerUnavailable(error.message, { wasConnected: false, cause: error })
  if (error instanceof SyntaxError) return new ServerUnavailable(wrongServer, { wasConnected: false })
  const message = networkFailure(error) ?? 'The database server closed the connection before it answered.'
  return new ServerUnavailable(message, { wasConnected: true, cause: error })
}

/** Tries again once if the connection is lost: the server may have closed a kept-alive connection just as it was reused. */
export async function againIfLost<Value>(request: () => Promise<Value>): Promise<Value> {
  try {
    return await request()
  } catch (error) {
    if (error instanceof ServerUnavailable && error.wasConnected) return request()
    throw error
  }
}
