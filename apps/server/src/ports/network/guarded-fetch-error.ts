/**
 * Why an agent's request got no answer, for the person who entered the address.
 *
 * - `refused`: the rules do not allow the address. Only another address, or the operator, can change that.
 * - `certificate`: the server's certificate is not valid.
 * - `unreachable`: everything else. A closed port, a silent one and one that speaks another protocol get the same message, so that
 *   this cannot be used for port scanning.
 */
export type GuardedFetchFault = 'refused' | 'certificate' | 'unreachable'

export class GuardedFetchError extends Error {
  override readonly name = 'GuardedFetchError'
  readonly fault: GuardedFetchFault
  /**
   * An error code that libraries recognize as worth retrying; absent if a retry cannot help. It must not be UND_ERR_SOCKET: undici
   * itself reconnects on that, endlessly.
   */
  readonly code?: 'UND_ERR_CONNECT_TIMEOUT'

  constructor(fault: GuardedFetchFault, message: string) {
    super(message)
    this.fault = fault
    if (fault === 'unreachable') this.code = 'UND_ERR_CONNECT_TIMEOUT'
  }
}

export const unreachable = (host: string) =>
  new GuardedFetchError('unreachable', `${host} could not be reached, or did not respond with HTTP.`)
