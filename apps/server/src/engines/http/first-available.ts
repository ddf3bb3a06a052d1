import { EngineError } from '../engine.ts'
import { ServerUnavailable } from './server-unavailable.ts'

/**
 * One place of a database: a server, or a load balancer in front of several. A database may have several places with the
 * same data. A place that did not answer *backs off*: for a while it is tried last.
 */
export interface TriedServer {
  backOff(): void
  isBackingOff(): boolean
}

/** Tries one server after the other. Servers that recently failed come last. */
export async function onFirstAvailable<Server extends TriedServer, Value>(
  servers: Server[],
  work: (server: Server) => Promise<Value>,
): Promise<Value> {
  let firstError: ServerUnavailable | undefined
  for (const server of servers.toSorted((a, b) => Number(a.isBackingOff()) - Number(b.isBackingOff()))) {
    try {
      return await work(server)
    } catch (error) {
      if (!(error instanceof ServerUnavailable)) throw error
      server.backOff()
      firstError ??= error
    }
  }
  const { message, cause } = firstError!
  const combined = servers.length > 1 ? `None of the ${servers.length} servers answered. ${message}` : message
  throw new EngineError('unreachable', combined, { cause })
}
