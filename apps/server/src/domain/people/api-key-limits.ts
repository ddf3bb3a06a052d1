import { type Scope, scopes as allScopes } from '../../model/api-key-scope.ts'
import type { ApiKeyLimits } from '../../model/people.ts'
import { parseAllowedNetworks } from '../webhooks/addresses/allowed-networks.ts'
import { isInRange, parseAddress } from '../webhooks/addresses/ranges.ts'
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
    const parsed = parseAllowedNetworks(block)
    if ('fault' in parsed) throw badInput(`/allowedNetworks/${index}`, `is not valid: ${parsed.fault}`)
    if (parsed.networks.length !== 1) throw badInput(`/allowedNetworks/${index}`, 'must be one CIDR block such as 203.0.113.0/24')
    return parsed.networks[0]!.text
  })
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
  const parsed = address === null ? null : parseAddress(address)
  if (!parsed) return false
  return networks.some((block) => {
    const judged = parseAllowedNetworks(block)
    return 'networks' in judged && judged.networks.some((network) => isInRange(parsed, network))
  })
}
