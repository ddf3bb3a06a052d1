/**
 * Rules on where database servers may be. Warehouses usually are in private networks, so these are allowed here; the rules for
 * webhooks are stricter (`webhooks/addresses`). Ranges that cannot contain a warehouse stay closed, whatever the operator says:
 * cloud metadata, link-local and multicast addresses, and others that are not for hosts.
 *
 * DATABASE_ALLOWED_NETWORKS restricts databases to some networks. It also makes exceptions, which must name the place itself rather
 * than a wide network around it:
 *
 * - The server of the service's own store is closed, and opened by its exact address. (The store on it stays closed even then:
 *   `engines/postgres/refuse-store.ts`.)
 * - This machine is open while the service has one organization and closed when it has more. It is then opened by a loopback
 *   network or by its exact address.
 */
import { EngineError } from '../../engines/engine.ts'
import { ServerRefused } from '../../engines/server-options.ts'
import type { ServerPlace } from '../../model/server-settings.ts'
import { NameError, type Network, type VettedAddress } from '../../ports/network/network.ts'
import {
  type Address,
  globalUnicast,
  isInRange,
  mappedIPv4,
  metadataInPrivateNetworks,
  namedOutsideGlobalUnicast,
  parseAddress,
  type Range,
  refusedOfGlobalUnicast,
  refusedOfIPv4,
} from '../webhooks/addresses/ranges.ts'
import type { Judged } from '../webhooks/addresses/rules.ts'
import { isStoreServer, isThisMachine, loopbackRanges, type Surroundings } from './surroundings.ts'

export interface DatabaseAddressRules {
  /** DATABASE_ALLOWED_NETWORKS. Empty: public and private networks. */
  allowedNetworks: readonly Range[]
}

/** Every range that has a name in those tables. As there, the first match counts, so narrow ranges come first. */
const namedRanges = [
  mappedIPv4,
  ...metadataInPrivateNetworks,
  ...refusedOfIPv4,
  ...refusedOfGlobalUnicast,
  ...namedOutsideGlobalUnicast,
]

/** Ranges that are closed to webhooks but open to databases. */
const openNames: ReadonlySet<string> = new Set(['private network', 'shared address space', 'loopback', 'unique local'])
const isOpen = ({ name }: Range) => openNames.has(name)

/** `host` must be an address: it is checked when it is dialed, after name resolution. */
export function judgeDatabaseAddress(
  { host: text, port }: ServerPlace,
  rules: DatabaseAddressRules,
  surroundings: Surroundings,
): Judged<{ address: VettedAddress }> {
  const address = parseAddress(text)
  if (!address) return { fault: `${text} is not a valid IP address.` }
  const closed = findClosed(address)
  if (closed) return { fault: `${text} is not allowed for databases: ${closed}.` }
  const { allowedNetworks } = rules
  if (allowedNetworks.length > 0 && !allowedNetworks.some((range) => isInRange(address, range))) {
    return { fault: `${text} is outside the networks allowed for databases.` }
  }
  const isNamedAlone = allowedNetworks.some((range) => isSingle(range) && isInRange(address, range))
  if (isStoreServer({ host: text, port }, surroundings) && !isNamedAlone) {
    return { fault: `${text}, port ${port}, is the PostgreSQL server with this service’s own data. ${remedy(text)}` }
  }
  if (surroundings.hasSeveralOrganizations && isThisMachine(text, surroundings)) {
    const isNamed = isNamedAlone || allowedNetworks.some((range) => isLoopback(range) && isInRange(address, range))
    if (!isNamed) {
      const reason = `${text} is the machine that this service runs on, which is not allowed with more than one organization.`
      return { fault: `${reason} ${remedy(text)}` }
    }
  }
  return { address: address.toString() as VettedAddress }
}

const remedy = (text: string) => `The operator can allow it by adding ${text} to DATABASE_ALLOWED_NETWORKS.`

const isSingle = ({ first, bits }: Range) => bits === (first.kind() === 'ipv4' ? 32 : 128)
const isLoopback = ({ first, bits }: Range) => loopbackRanges.some((range) => bits >= range.bits && isInRange(first, range))

function findClosed(address: Address): string | undefined {
  const named = namedRanges.find((range) => isInRange(address, range))
  if (named) return isOpen(named) ? undefined : `${named.name} (${named.text})`
  if (address.kind() === 'ipv4' || isInRange(address, globalUnicast)) return undefined
  return `not global unicast (outside of ${globalUnicast.text})`
}

/** Finds a network in the operator's list that is in a closed range, so that listing it has no effect. */
export function findClosedNetwork(networks: readonly Range[]): Range | undefined {
  return networks.find(({ first, bits }) => {
    const named = namedRanges.find((range) => bits >= range.bits && isInRange(first, range))
    return named !== undefined && !isOpen(named)
  })
}

/**
 * Resolves a host for each connection and checks every address. Forbidden addresses are left out: an engine dials only the
 * addresses returned here, so a name with several addresses connects only to the allowed ones.
 */
export function makeAddressesOf(deps: {
  names: Pick<Network, 'resolve'>
  rules: DatabaseAddressRules
  surroundings: () => Promise<Surroundings>
}) {
  return async ({ host, port }: ServerPlace, signal: AbortSignal): Promise<string[]> => {
    const answers = parseAddress(host) ? [host] : await resolve(deps.names, host, signal)
    const surroundings = await deps.surroundings()
    const judged = answers.map((answer) => judgeDatabaseAddress({ host: answer, port }, deps.rules, surroundings))
    const addresses = judged.flatMap((one) => ('address' in one ? [one.address] : []))
    if (addresses.length > 0) return [...new Set(addresses)]
    const faults = judged.flatMap((one) => ('fault' in one ? [one.fault] : []))
    const message = answers[0] === host ? faults[0]! : `The host name ${host} resolves to a forbidden address: ${faults[0]}`
    throw new ServerRefused(message, 'host')
  }
}

async function resolve(names: Pick<Network, 'resolve'>, host: string, signal: AbortSignal): Promise<string[]> {
  try {
    return await names.resolve(host, signal)
  } catch (error) {
    if (!(error instanceof NameError)) throw error
    const why = error.isFinal ? 'does not exist or has no address' : 'could not be resolved; try again'
    throw new HostFault(`The host name ${host} ${why}.`)
  }
}

/** A host name that cannot be resolved. */
export class HostFault extends EngineError {
  constructor(message: string) {
    super('unreachable', message)
  }
}
