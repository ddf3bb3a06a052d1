/**
 * What is around the service when it connects to a database, and what such connections must keep away from:
 *
 * - *this machine*: loopback and the addresses of its interfaces. Programs on this machine often trust local connections.
 * - *the store's server*: the PostgreSQL server of DATABASE_URL, at any of its addresses. If it is on this machine, each address of this
 *   machine leads to it.
 * - *the store*: the one database on that server with the service's own state.
 *
 * All of it can change while the service runs, so it is read again when it is older than `freshMs`. Connections share what was
 * read, so a burst of them costs one statement.
 */
import type { ServerPlace, StoreIdentity } from '../../model/server-settings.ts'
import { abortAfter, type Clock } from '../../ports/clock.ts'
import { NameError, type Network } from '../../ports/network/network.ts'
import type { Db, StoreServer } from '../../store/db.ts'
import { readStoreFacts } from '../../store/read-store-facts.ts'
import { type Address, isInRange, makeRange, mappedIPv4, parseAddress } from '../webhooks/addresses/ranges.ts'

export interface Surroundings {
  hasSeveralOrganizations: boolean
  /** Of this machine's interfaces. */
  ownAddresses: readonly string[]
  /** Null where the store is embedded. */
  storeServer: { port: number; addresses: readonly string[]; isOnThisMachine: boolean } | null
  /** Null where the store is embedded. */
  store: StoreIdentity | null
}

const freshMs = 5000
/** Somebody's connection waits meanwhile. */
const resolveLimitMs = 2000

export function makeSurroundings(deps: {
  db: Db
  /** Undefined where the store is embedded. */
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

  /** While the store does not answer, what it said last counts. */
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

/** By where connections have gone, and by what the name stands for now: a name may have more addresses than were dialed. */
async function locate({ server, names, clock }: Locating): Promise<Surroundings['storeServer']> {
  const { host, port } = server
  if (host.startsWith('/')) return { port, addresses: [], isOnThisMachine: true }
  const resolved = parseAddress(host) ? [host] : await resolve({ names, clock }, host)
  return { port, addresses: [...new Set([...resolved, ...server.addresses()])], isOnThisMachine: false }
}

/** A name that only the system's own resolver knows, as with search domains, is known by where connections have gone. */
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

/** An IPv4 address in IPv6 form is that IPv4 address: so the system dials it, and so it names the other end of a connection. */
function readAddress(text: string): Address | null {
  const address = parseAddress(text)
  if (address?.kind() !== 'ipv6' || !isInRange(address, mappedIPv4)) return address
  const bytes = address.toByteArray().slice(12)
  return parseAddress(bytes.join('.'))
}
