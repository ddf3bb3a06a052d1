import { BlockList, isIP } from 'node:net'
import { type Scope, scopes as allScopes } from '../../model/api-key-scope.ts'
import type { ApiKeyLimits } from '../../model/people.ts'
import { badInput } from './check-text.ts'

export interface GivenLimits {
  scopes?: readonly string[] | undefined
  expiresAt?: Date | null | undefined
  allowedNetworks?: readonly string[] | null | undefined
}

/** Enough for the offices and data centers of a company. */
const networksMax = 50

/** Null for a limit that was left out. */
export function checkLimits(
  given: GivenLimits,
  now: Date,
): { scopes: Scope[] | null; expiresAt: Date | null; allowedNetworks: string[] | null } {
  const { scopes, expiresAt = null, allowedNetworks = null } = given
  if (expiresAt && expiresAt <= now) throw badInput('/expiresAt', 'must be in the future')
  return {
    scopes: scopes ? checkScopes(scopes) : null,
    expiresAt,
    allowedNetworks: allowedNetworks && checkNetworks(allowedNetworks),
  }
}

function checkScopes(given: readonly string[]): Scope[] {
  if (given.length === 0) throw badInput('/scopes', 'must contain at least one scope; leave it out for the default')
  const unknown = given.findIndex((scope) => !allScopes.includes(scope as Scope))
  if (unknown >= 0) throw badInput(`/scopes/${unknown}`, `must be one of ${allScopes.join(', ')}`)
  return allScopes.filter((scope) => given.includes(scope))
}

function checkNetworks(given: readonly string[]): string[] {
  if (given.length === 0) throw badInput('/allowedNetworks', 'must contain at least one network; leave it out to allow any address')
  if (given.length > networksMax) throw badInput('/allowedNetworks', `must contain at most ${networksMax} networks`)
  return given.map((block, index) => {
    const network = parseNetwork(block)
    if (!network) throw badInput(`/allowedNetworks/${index}`, 'must be an address or a CIDR block such as 203.0.113.0/24')
    return `${network.address}/${network.bits}`
  })
}

interface Network {
  address: string
  bits: number
  family: 'ipv4' | 'ipv6'
}

/** A single address is a block of one. */
function parseNetwork(text: string): Network | undefined {
  const [address = '', bitsText, ...rest] = text.trim().split('/')
  const version = isIP(address)
  if (version === 0 || address.includes('%') || rest.length > 0) return undefined
  const bitsMax = version === 4 ? 32 : 128
  const bits = bitsText === undefined ? bitsMax : Number(bitsText)
  if (bitsText !== undefined && (!/^\d{1,3}$/.test(bitsText) || bits > bitsMax)) return undefined
  return { address, bits, family: version === 4 ? 'ipv4' : 'ipv6' }
}

/** Why a key is not accepted, or undefined if it is. Only someone who holds the key learns this. */
export function keyProblem(
  key: Pick<ApiKeyLimits, 'expiresAt' | 'allowedNetworks'> & { isExpired: boolean },
  address: string | null,
): string | undefined {
  if (key.isExpired) return `This API key expired at ${key.expiresAt!.toISOString()}. Create a new one in the account settings.`
  if (key.allowedNetworks === null || isInNetworks(address, key.allowedNetworks)) return undefined
  return `This API key is not accepted from your address, ${address ?? 'which is unknown'}. Use it in one of its allowed networks.`
}

function isInNetworks(address: string | null, networks: readonly string[]): boolean {
  const version = isIP(address ?? '')
  if (version === 0) return false
  const allowed = new BlockList()
  for (const { address: first, bits, family } of networks.flatMap((block) => parseNetwork(block) ?? [])) {
    allowed.addSubnet(first, bits, family)
  }
  return allowed.check(address!, version === 4 ? 'ipv4' : 'ipv6')
}
