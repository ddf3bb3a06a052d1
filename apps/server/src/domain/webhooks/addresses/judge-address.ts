import type { VettedAddress } from '../../../ports/network/network.ts'
import {
  type Address,
  globalUnicast,
  isInRange,
  mappedIPv4,
  namedOutsideGlobalUnicast,
  parseAddress,
  type Range,
  refusedOfGlobalUnicast,
  refusedOfIPv4,
} from './ranges.ts'
import type { AddressRules, Judged } from './rules.ts'

/**
 * Whether a webhook may go to this address. The fault names the rule that refuses it, so that nobody has to guess, and
 * never what is found at the address. What passes is given back in one spelling, whatever spelling it came in.
 */
export function judgeAddress(
  text: string,
  rules: Pick<AddressRules, 'allowedNetworks'>,
): Judged<{ address: VettedAddress }> {
  const address = parseAddress(text)
  if (address === null) {
    return notRoutable(text.includes('%') ? 'an address with a zone leads into a local network' : 'it is no IP address')
  }
  const refusing = findRefusing(address, rules.allowedNetworks)
  if (refusing) return notRoutable(`${refusing.name} (${refusing.text})`)
  return { address: address.toString() as VettedAddress }
}

function findRefusing(address: Address, allowedNetworks: readonly Range[]): Range | undefined {
  const fits = (range: Range) => isInRange(address, range)
  if (fits(mappedIPv4)) return mappedIPv4
  if (allowedNetworks.some(fits)) return undefined
  if (address.kind() === 'ipv4') return refusedOfIPv4.find(fits)
  if (fits(globalUnicast)) return refusedOfGlobalUnicast.find(fits)
  return namedOutsideGlobalUnicast.find(fits) ?? outsideGlobalUnicast
}

const outsideGlobalUnicast: Range = {
  ...globalUnicast,
  name: 'not global unicast',
  text: `outside of ${globalUnicast.text}`,
}

function notRoutable(rule: string): { fault: string } {
  return { fault: `This address is not publicly routable: ${rule}.` }
}

/**
 * All answers for one name. One that is refused refuses them all: a name that leads both inside and outside is no
 * receiver's, and which of them would be dialled must not be left to chance. IPv4 comes first, since many hosts have no
 * route for IPv6; apart from that the order stays.
 */
export function vetAddresses(
  answers: readonly string[],
  rules: Pick<AddressRules, 'allowedNetworks'>,
): Judged<{ addresses: VettedAddress[] }> {
  const vetted = new Set<VettedAddress>()
  for (const answer of answers) {
    const judged = judgeAddress(answer, rules)
    if ('fault' in judged) return judged
    vetted.add(judged.address)
  }
  if (vetted.size === 0) {
    return { fault: 'The host name must resolve to a publicly routable address; it has no address.' }
  }
  const addresses = [...vetted]
  return { addresses: [...addresses.filter((address) => !isIPv6(address)), ...addresses.filter(isIPv6)] }
}

/** Whether the operator has named the network that this address is in. */
export function isInAllowedNetworks(address: VettedAddress, rules: Pick<AddressRules, 'allowedNetworks'>): boolean {
  const parsed = parseAddress(address)
  return parsed !== null && rules.allowedNetworks.some((range) => isInRange(parsed, range))
}

function isIPv6(address: VettedAddress): boolean {
  return address.includes(':')
}
