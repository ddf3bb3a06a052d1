import { isInRange, makeRange, mappedIPv4, parseAddress, type Range } from './ranges.ts'
import type { Judged } from './rules.ts'

/**
 * Parses WEBHOOK_ALLOWED_NETWORKS: CIDR blocks separated by commas or spaces; a single address is a block of one. A block with bits
 * set beyond its prefix, such as 10.1.2.3/8, is rejected: it might mean the host or the whole network, and a wrong guess would
 * expose one to customers.
 */
export function parseAllowedNetworks(text: string): Judged<{ networks: Range[] }> {
  const networks: Range[] = []
  for (const block of text.split(/[\s,]+/).filter((part) => part !== '')) {
    const judged = parseBlock(block)
    if ('fault' in judged) return { fault: `${block} ${judged.fault}` }
    networks.push(judged.network)
  }
  return { networks }
}

function parseBlock(block: string): Judged<{ network: Range }> {
  const [addressText, prefixText, ...rest] = block.split('/')
  const address = parseAddress(addressText!)
  if (!address || rest.length > 0) return { fault: 'is not a CIDR block' }
  const maxBits = address.kind() === 'ipv4' ? 32 : 128
  const bits = prefixText === undefined ? maxBits : Number(prefixText)
  if (prefixText !== undefined && (!/^\d{1,3}$/.test(prefixText) || bits > maxBits)) {
    return { fault: `must end with a number of bits from 0 to ${maxBits}` }
  }
  if (isInRange(address, mappedIPv4)) return { fault: 'must be written as an IPv4 block' }
  const network = makeRange(`${address.toString()}/${bits}`, 'allowed network')
  const first = firstOf(network)
  if (first !== network.first.toString()) {
    return { fault: `has bits set behind its prefix; the block is ${first}/${bits}` }
  }
  return { network }
}

function firstOf({ first, bits }: Range): string {
  const bytes = first.toByteArray().map((byte, index) => {
    const bitsOfByte = Math.min(Math.max(bits - index * 8, 0), 8)
    return byte & (0xff00 >> bitsOfByte) & 0xff
  })
  return parseAddress(bytes.length === 4 ? bytes.join('.') : groupsOf(bytes))!.toString()
}

function groupsOf(bytes: readonly number[]): string {
  const groups = Array.from({ length: 8 }, (_, group) => bytes[group * 2]! * 256 + bytes[group * 2 + 1]!)
  return groups.map((group) => group.toString(16)).join(':')
}
