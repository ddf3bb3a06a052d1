/**
 * The store cannot be reached, or does not take what it is given: it is down, restarting, being replaced, or its disk is full.
 * Nothing is wrong with the request; the same one succeeds when the store is back.
 */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
}

/** Of the operating system: there is no connection, or it was lost. */
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
 * Of PostgreSQL: connection exceptions (class 08), too few resources (53: disk full, out of memory, too many connections), an operator
 * who intervenes (57P: shutdown, crash, not accepting connections yet), and a server that only reads, as after a failover (25006).
 */
const serverCodes = /^(08...|53...|57P..|25006)$/

/** What pg says without a code when a connection was lost, or none was free in time. */
const messages =
  /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|PostgreSQL has not answered|Cannot use a pool after)/

/** The error as `StoreUnavailable` where that is what it means, else unchanged. */
export function storeErrorOf(error: unknown): unknown {
  return isUnavailable(error) ? new StoreUnavailable(`The store is not available: ${messageOf(error)}`, { cause: error }) : error
}

function isUnavailable(error: unknown): boolean {
  // Node tries all addresses of a name, and gives all the failures.
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
