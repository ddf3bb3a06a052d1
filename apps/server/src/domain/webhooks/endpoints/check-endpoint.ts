import { abortAfter, type Clock } from '../../../ports/clock.ts'
import type { Network } from '../../../ports/network/network.ts'
import { Refusal } from '../../refusal.ts'
import { type AddressRules, checkEndpointUrl, type EndpointUrlCheck } from '../addresses/endpoint-addresses.ts'
import { type EventType, eventTypes } from '../../../model/event-type.ts'

export const endpointDescriptionMaxLength = 500
/** As long as an attempt may take: a name that takes longer to resolve would fail there too. */
const resolveWithinMs = 10_000

export interface UrlDeps {
  clock: Clock
  network: Network
  addressRules: AddressRules
}

/**
 * Returns the URL as it is stored and sent to. Throws for a URL that no attempt could reach, with the fault that the address rules
 * give.
 */
export async function checkUrl(deps: UrlDeps, text: string): Promise<string> {
  const checked = await findUrlFault(deps, text)
  if (!('fault' in checked)) return checked.url.href
  throw new Refusal('invalid_request', `This URL cannot be an endpoint. ${checked.fault}`, [
    { path: '/url', message: checked.fault },
  ])
}

export async function findUrlFault(deps: UrlDeps, text: string): Promise<EndpointUrlCheck> {
  const limit = abortAfter(deps.clock, resolveWithinMs)
  try {
    return await checkEndpointUrl({ network: deps.network, rules: deps.addressRules }, text, limit.signal)
  } finally {
    limit.cancel()
  }
}

/** Each type once, in the order of the documentation. */
export function checkEventTypes(given: readonly EventType[]): EventType[] {
  return eventTypes.filter((type) => given.includes(type))
}

export const checkDescription = (text: string | null): string | null => text?.trim() || null
