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
 * Whether a webhook may be sent to this address. The fault names the rule that rejects it, so that nobody has to guess, and never
 * what is at the address. An address that passes is returned in normalized form.
 */
export function judgeAddress(
  text: string,
  rules: Pick<AddressRules, 'allowedNetworks'>,
): Judged<{ address: VettedAddress }> {
  const address = parseAddress(text)
  if (address === null) {
    return notRoutable(text.includes('%') ? 'an address with a zone is local' : 'it is not an IP address')
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
 * Checks all answers for one name. One rejected address rejects them all: a name with both internal and public addresses is not a
 * legitimate receiver, and which of them is dialed must not be left to chance. IPv4 comes first, since many hosts have no IPv6
 * route; otherwise the order is kept.
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

/** Whether the address is in a network that the operator allows. */
export function isInAllowedNetworks(address: VettedAddress, rules: Pick<AddressRules, 'allowedNetworks'>): boolean {
  const parsed = parseAddress(address)
  return parsed !== null && rules.allowedNetworks.some((range) => isInRange(parsed, range))
}

function isIPv6(address: VettedAddress): boolean {
  return address.includes(':')
}
