import { isIPv4, isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** A parsed address. Only the two strict notations are accepted: four decimal numbers, and IPv6 without a zone. */
export type Address = ipaddr.IPv4 | ipaddr.IPv6

/** A block of addresses, written `first/bits`, and its purpose. */
export interface Range {
  readonly text: string
  readonly name: string
  readonly first: Address
  readonly bits: number
}

export function makeRange(text: string, name: string): Range {
  const [first, bits] = ipaddr.parseCIDR(text)
  return { text, name, first, bits }
}

/** Null for anything else, such as an octal number, a name, or an IPv6 address with a zone. */
export function parseAddress(text: string): Address | null {
  if (isIPv4(text)) return ipaddr.IPv4.parse(text)
  if (isIPv6(text) && !text.includes('%')) return ipaddr.IPv6.parse(withoutDottedEnd(text))
  return null
}

/** `::1.2.3.4` is `::102:304`; ipaddr.js reads it as `::ffff:1.2.3.4`. */
function withoutDottedEnd(text: string): string {
  return text.replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/, (_all, ...bytes: string[]) => {
    const [a, b, c, d] = bytes.map(Number)
    return `${(a! * 256 + b!).toString(16)}:${(c! * 256 + d!).toString(16)}`
  })
}

export function isInRange(address: Address, { first, bits }: Range): boolean {
  return address.kind() === first.kind() && address.match(first, bits)
}

/** All other IPv4 addresses may be reached. The first matching range gives the name, so narrow ranges come first. */
export const refusedOfIPv4: readonly Range[] = [
  makeRange('0.0.0.0/8', 'this network'),
  makeRange('10.0.0.0/8', 'private network'),
  makeRange('100.64.0.0/10', 'shared address space'),
  makeRange('127.0.0.0/8', 'loopback'),
  // In public address space, but answered by the platform inside one cloud.
  makeRange('168.63.129.16/32', 'cloud metadata'),
  makeRange('169.254.0.0/16', 'link-local, cloud metadata'),
  makeRange('172.16.0.0/12', 'private network'),
  makeRange('192.0.0.0/24', 'protocol assignments'),
  makeRange('192.0.2.0/24', 'documentation'),
  makeRange('192.88.99.0/24', '6to4 relays'),
  makeRange('192.168.0.0/16', 'private network'),
  makeRange('198.18.0.0/15', 'benchmarking'),
  makeRange('198.51.100.0/24', 'documentation'),
  makeRange('203.0.113.0/24', 'documentation'),
  makeRange('224.0.0.0/4', 'multicast'),
  makeRange('255.255.255.255/32', 'broadcast'),
  makeRange('240.0.0.0/4', 'reserved'),
]

/**
 * IPv4 disguised as IPv6. The kernel dials it as IPv4, so a list of IPv6 networks cannot apply to it: it is rejected whatever the
 * operator allows. An IPv4 address can be written as one.
 */
export const mappedIPv4: Range = makeRange('::ffff:0:0/96', 'IPv4-mapped')

/** The only IPv6 range that may be reached, */
export const globalUnicast: Range = makeRange('2000::/3', 'global unicast')

/** except for these. */
export const refusedOfGlobalUnicast: readonly Range[] = [
  makeRange('2001::/32', 'Teredo'),
  makeRange('2001:20::/28', 'ORCHIDv2'),
  makeRange('2001::/23', 'protocol assignments'),
  makeRange('2001:db8::/32', 'documentation'),
  makeRange('2002::/16', '6to4'),
  makeRange('3fff::/20', 'documentation'),
]

/** Only for the name in the message: everything outside global unicast is rejected, named here or not. */
export const namedOutsideGlobalUnicast: readonly Range[] = [
  makeRange('::/128', 'unspecified'),
  makeRange('::1/128', 'loopback'),
  makeRange('::/96', 'IPv4-compatible'),
  makeRange('64:ff9b::/96', 'IPv4/IPv6 translation'),
  makeRange('64:ff9b:1::/48', 'IPv4/IPv6 translation'),
  makeRange('100::/64', 'discard only'),
  makeRange('5f00::/16', 'segment routing'),
  makeRange('fc00::/7', 'unique local'),
  makeRange('fe80::/10', 'link-local'),
  makeRange('fec0::/10', 'site-local'),
  makeRange('ff00::/8', 'multicast'),
]

/** Where cloud platforms answer inside otherwise private networks. */
export const metadataInPrivateNetworks: readonly Range[] = [
  makeRange('100.100.100.200/32', 'cloud metadata'),
  makeRange('fd00:ec2::254/128', 'cloud metadata'),
  makeRange('fd20:ce::254/128', 'cloud metadata'),
]
