/**
 * The store cannot be reached or cannot accept writes: it is down, restarting, failing over, or its disk is full. Nothing is wrong
 * with the request; it will succeed when the store is back.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** Operating system errors: no connection, or it was lost. */
const connectionCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
])

/**
 * PostgreSQL errors: connection exceptions (class 08), insufficient resources (53: disk full, out of memory, too many connections),
 * operator intervention (57P: shutdown, crash, not accepting connections yet), and a read-only server, as after a failover (25006).
 */
const serverCodes = /^(08...|53...|57P..|25006)$/

/** Messages of pg without a code, when a connection was lost or none was free in time. */
const messages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|PostgreSQL did not answer|Cannot use a pool after)/

/** Wraps the error in `StoreUnavailable` if that is what it means; else returns it unchanged. */
export function storeErrorOf(error: unknown): unknown {
  return isUnavailable(error) ? new StoreUnavailable(`The store is not available: ${messageOf(error)}`, { cause: error }) : error
}

function isUnavailable(error: unknown): boolean {
  // Node tries all addresses of a name and reports all failures.
  if (error instanceof AggregateError && error.errors.length > 0) return error.errors.every(isUnavailable)
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  if (typeof code === 'string') return connectionCodes.has(code) || serverCodes.test(code)
  return messages.test(error.message)
}

function messageOf(error: unknown): string {
  const all = error instanceof AggregateError ? (error.errors as unknown[]) : [error]
  return all.map((each) => (each instanceof Error ? each.message : String(each))).join('; ')
}
