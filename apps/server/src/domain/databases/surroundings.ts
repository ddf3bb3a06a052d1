/**
 * What surrounds the service when it connects to a database, and what such connections must avoid:
 *
 * - *this machine*: loopback and the addresses of its interfaces. Programs on this machine often trust local connections.
 * - *the store's server*: the PostgreSQL server of DATABASE_URL, at any of its addresses. If it is on this machine, every address
 * of
 *   this machine reaches it.
 * - *the store*: the database on that server that contains the service's own state.
 *
 * All of this can change while the service runs, so it is read again when it is older than `freshMs`. Connections share the result,
 * so a burst of them costs one statement.
 */
import type { ServerPlace, StoreIdentity } from '../../model/server-settings.ts'
import { abortAfter, type Clock } from '../../ports/clock.ts'
import { NameError, type Network } from '../../ports/network/network.ts'
import type { Db, StoreServer } from '../../store/db.ts'
import { readStoreFacts } from '../../store/read-store-facts.ts'
import { type Address, isInRange, makeRange, mappedIPv4, parseAddress } from '../webhooks/addresses/ranges.ts'

export interface Surroundings {
  hasSeveralOrganizations: boolean
  /** The addresses of this machine's interfaces. */
  ownAddresses: readonly string[]
  /** Null if the store is embedded. */
  storeServer: { port: number; addresses: readonly string[]; isOnThisMachine: boolean } | null
  /** Null if the store is embedded. */
  store: StoreIdentity | null
}

const freshMs = 5000
/** Short, because a connection waits for it. */
const resolveLimitMs = 2000

export function makeSurroundings(deps: {
  db: Db
  /** Undefined if the store is embedded. */
  server: StoreServer | undefined
  names: Pick<Network, 'resolve'>
  clock: Clock
  readOwnAddresses: () => string[]
}): () => Promise<Surroundings> {
  const { db, server, names, clock } = deps
  let known: { surroundings: Surroundings; readAtMs: number } | undefined
  let reading: Promise<Surroundings> | undefined

  async function read(): Promise<Surroundings> {
    const [facts, storeServer] = await Promise.all([readStoreFacts(db), server ? locate({ server, names, clock }) : null])
    return {
      hasSeveralOrganizations: facts.hasSeveralOrganizations,
      ownAddresses: deps.readOwnAddresses(),
      storeServer,
      store: server ? facts.identity : null,
    }
  }

  /** While the store is unavailable, the last known facts are used. */
  async function renew(): Promise<Surroundings> {
    const readAtMs = clock.monotonicMs()
    try {
      known = { surroundings: await read(), readAtMs }
    } catch (error) {
      if (!known) throw error
    } finally {
      reading = undefined
    }
    return known.surroundings
  }

  return async () => {
    if (known && clock.monotonicMs() - known.readAtMs < freshMs) return known.surroundings
    return (reading ??= renew())
  }
}

interface Locating {
  server: StoreServer
  names: Pick<Network, 'resolve'>
  clock: Clock
}

/** Combines the addresses that were dialed with those the name resolves to now: a name may have more addresses than were dialed. */
async function locate({ server, names, clock }: Locating): Promise<Surroundings['storeServer']> {
  const { host, port } = server
  if (host.startsWith('/')) return { port, addresses: [], isOnThisMachine: true }
  const resolved = parseAddress(host) ? [host] : await resolve({ names, clock }, host)
  return { port, addresses: [...new Set([...resolved, ...server.addresses()])], isOnThisMachine: false }
}

/** A name that only the system's resolver knows, for example through search domains, is located by the addresses dialed. */
async function resolve({ names, clock }: Pick<Locating, 'names' | 'clock'>, host: string): Promise<string[]> {
  const limit = abortAfter(clock, resolveLimitMs)
  try {
    return await names.resolve(host, limit.signal)
  } catch (error) {
    if (error instanceof NameError) return []
    throw error
  } finally {
    limit.cancel()
  }
}

export const loopbackRanges = [makeRange('127.0.0.0/8', 'loopback'), makeRange('::1/128', 'loopback')]
const unspecified = [makeRange('0.0.0.0/32', 'unspecified'), makeRange('::/128', 'unspecified')]

export function isThisMachine(text: string, { ownAddresses }: Pick<Surroundings, 'ownAddresses'>): boolean {
  const address = readAddress(text)
  if (!address) return false
  return [...loopbackRanges, ...unspecified].some((range) => isInRange(address, range)) || ownAddresses.some(isSame(address))
}

export function isStoreServer({ host, port }: ServerPlace, surroundings: Surroundings): boolean {
  const { storeServer } = surroundings
  const address = readAddress(host)
  if (!address || port !== storeServer?.port) return false
  if (storeServer.addresses.some(isSame(address))) return true
  const { isOnThisMachine, addresses } = storeServer
  return isThisMachine(host, surroundings) && (isOnThisMachine || addresses.some((each) => isThisMachine(each, surroundings)))
}

const isSame = (address: Address) => (text: string) => readAddress(text)?.toNormalizedString() === address.toNormalizedString()

/** An IPv4 address in IPv6 form counts as that IPv4 address: the system dials it as such, and reports it so for a connection's peer. */
function readAddress(text: string): Address | null {
  const address = parseAddress(text)
  if (address?.kind() !== 'ipv6' || !isInRange(address, mappedIPv4)) return address
  const bytes = address.toByteArray().slice(12)
  return parseAddress(bytes.join('.'))
}
