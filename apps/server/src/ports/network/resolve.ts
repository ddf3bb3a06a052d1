import { promises as dns } from 'node:dns'
import { NameError } from './network.ts'

/**
 * Names are asked of the DNS servers directly (c-ares), not of the system's `getaddrinfo`: that would occupy a thread
 * of Node's small pool for as long as a server keeps silent, try the search domains of resolv.conf, so that `a.b` may
 * become `a.b.corp.example`, and read the hosts file, which is full of inside names. This does none of these: a name is
 * always absolute, and an answer is what DNS said just now, since nothing is remembered between lookups.
 *
 * - A and AAAA are asked for together, and both must be answered, with addresses or with "there is none". When one of
 *   them fails, so does the lookup: the missing half might be the one that leads inside.
 * - Whoever asks for a name that is being asked for joins that lookup. Each waits only as long as its own signal; the
 *   lookup itself ends by c-ares's own limit, so one that nobody waits for any more does not stay.
 */
export interface Resolver {
  resolve(hostname: string, signal: AbortSignal): Promise<string[]>
  close(): void
}

/** Of the first try; the second doubles it. */
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

/** The name does not exist, has no address of this family, or cannot exist. */
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
