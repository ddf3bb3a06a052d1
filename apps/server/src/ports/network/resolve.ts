import { promises as dns } from 'node:dns'
import { NameError } from './network.ts'

/**
 * Resolves names by asking DNS servers directly (c-ares) instead of using the system's `getaddrinfo`, which would occupy a thread
 * of Node's small pool while a server is silent, try the search domains of resolv.conf, so that `a.b` may become
 * `a.b.corp.example`, and read the hosts file, which is full of internal names. Here a name is always absolute, and an answer is
 * what DNS says now, since nothing is cached between lookups.
 *
 * - A and AAAA are asked together, and both must be answered, with addresses or with "there is none". If one of them fails, so does
 *   the lookup: the missing half might contain an internal address.
 * - Concurrent requests for the same name share one lookup. Each waits only as long as its own signal; the lookup itself ends by
 *   c-ares's own limit, so an abandoned lookup does not remain.
 */
export interface Resolver {
  resolve(hostname: string, signal: AbortSignal): Promise<string[]>
  close(): void
}

/** Timeout of the first try; the second doubles it. */
const tryMs = 2000
const tries = 3

export function makeResolver({ dnsServers }: { dnsServers?: readonly string[] | undefined }): Resolver {
  const resolver = new dns.Resolver({ timeout: tryMs, tries })
  if (dnsServers) resolver.setServers(dnsServers)
  const lookups = new Map<string, Promise<string[]>>()
  let isClosed = false

  function lookUp(hostname: string): Promise<string[]> {
    const running = lookups.get(hostname)
    if (running) return running
    const lookup = Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]).then((families) => {
      lookups.delete(hostname)
      return join(hostname, families)
    })
    lookups.set(hostname, lookup)
    return lookup
  }

  return {
    resolve(hostname, signal) {
      return new Promise((resolve, reject) => {
        const giveUp = () => reject(new NameError(`${hostname} was not resolved in time.`, false))
        if (signal.aborted || isClosed) return giveUp()
        signal.addEventListener('abort', giveUp, { once: true })
        lookUp(hostname)
          .then(resolve, reject)
          .finally(() => signal.removeEventListener('abort', giveUp))
      })
    },
    close() {
      isClosed = true
      resolver.cancel()
    },
  }
}

/** The name does not exist, has no address of this family, or is not valid. */
const finalCodes: ReadonlySet<string> = new Set([dns.NOTFOUND, dns.NODATA, dns.BADNAME])

function join(hostname: string, families: PromiseSettledResult<string[]>[]): string[] {
  const addresses = families.flatMap((family) => (family.status === 'fulfilled' ? family.value : []))
  const codes = families.flatMap((family) => (family.status === 'rejected' ? [codeOf(family.reason)] : []))
  const passing = codes.find((code) => !finalCodes.has(code))
  if (passing !== undefined) throw new NameError(`${hostname} could not be resolved (${passing}).`, false)
  if (addresses.length === 0) throw new NameError(`${hostname} does not exist or has no address.`, true)
  return addresses
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
