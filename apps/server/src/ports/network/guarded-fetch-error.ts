/**
 * Why a request of an agent got no answer, for whoever entered the address.
 *
 * - `refused`: the rules do not let it go there. Only another address, or the operator, can change that.
 * - `certificate`: the server is not who it should be.
 * - `unreachable`: everything else. A closed port, a silent one and one that speaks something else are told in the same
 *   words, since this must not become a way to look at what listens where.
 */
export type GuardedFetchFault = 'refused' | 'certificate' | 'unreachable'

export class GuardedFetchError extends Error {
  override readonly name = 'GuardedFetchError'
  readonly fault: GuardedFetchFault
  /**
   * A name that libraries know for what may pass when asked again; absent where that cannot help. It must not be
   * UND_ERR_SOCKET: on that one undici itself connects again, without an end.
   */
  readonly code?: 'UND_ERR_CONNECT_TIMEOUT'

  constructor(fault: GuardedFetchFault, message: string) {
    super(message)
    this.fault = fault
    if (fault === 'unreachable') this.code = 'UND_ERR_CONNECT_TIMEOUT'
  }
}

export const unreachable = (host: string) =>
  new GuardedFetchError('unreachable', `${host} could not be reached, or did not answer in HTTP.`)
