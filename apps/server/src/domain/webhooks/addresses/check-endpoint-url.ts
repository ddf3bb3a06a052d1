import { NameError, type Network, type VettedAddress } from '../../../ports/network/network.ts'
import { vetAddresses } from './judge-address.ts'
import { judgeUrl } from './judge-url.ts'
import type { AddressRules } from './rules.ts'

export type EndpointUrlCheck =
  | { url: URL; addresses: VettedAddress[] }
  /** `layer`: what rejected it. A `name` may resolve another time; a URL or an address has to be changed. */
  | { fault: string; layer: 'url' | 'name' | 'address' }

/**
 * The only check there is: for saving an endpoint, for a test event and for every attempt. Its result holds for the connections
 * made right after it, and only to the addresses it returns; the next attempt checks again.
 */
export async function checkEndpointUrl(
  { network, rules }: { network: Pick<Network, 'resolve'>; rules: AddressRules },
  text: string,
  signal: AbortSignal,
): Promise<EndpointUrlCheck> {
  const judged = judgeOnce(text, rules)
  if ('fault' in judged || 'addresses' in judged) return judged
  const { url } = judged
  let answers: string[]
  try {
    answers = await network.resolve(url.hostname, signal)
  } catch (error) {
    if (!(error instanceof NameError)) throw error
    return { fault: describeNameError(url.hostname, error), layer: 'name' }
  }
  const vetted = vetAddresses(answers, rules)
  if ('fault' in vetted) return { fault: vetted.fault, layer: 'address' }
  return { url, addresses: vetted.addresses }
}

type JudgedOnce = EndpointUrlCheck | { url: URL }

const remembered = new WeakMap<AddressRules, Map<string, JudgedOnce>>()
const rememberedMax = 1000

/**
 * The part that depends only on the text and the rules: the whole check for an address, and all but name resolution for a name. The
 * same few URLs are checked at every attempt, so the result is cached as long as the rules are in use.
 */
function judgeOnce(text: string, rules: AddressRules): JudgedOnce {
  let known = remembered.get(rules)
  if (!known || known.size >= rememberedMax) remembered.set(rules, (known = new Map()))
  let judged = known.get(text)
  if (!judged) known.set(text, (judged = judge(text, rules)))
  return judged
}

function judge(text: string, rules: AddressRules): JudgedOnce {
  const judged = judgeUrl(text, rules)
  if ('fault' in judged) return { fault: judged.fault, layer: 'url' }
  const { url, literal } = judged
  if (!literal) return { url }
  const vetted = vetAddresses(literal, rules)
  return 'fault' in vetted ? { fault: vetted.fault, layer: 'address' } : { url, addresses: vetted.addresses }
}

function describeNameError(hostname: string, error: NameError): string {
  const why = error.isFinal ? 'the name does not exist or has no address' : 'it could not be resolved; try again'
  return `The host name ${hostname} must resolve to a publicly routable address: ${why}.`
}
