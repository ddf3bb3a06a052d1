import { NameError, type Network, type VettedAddress } from '../../../ports/network/network.ts'
import { vetAddresses } from './judge-address.ts'
import { judgeUrl } from './judge-url.ts'
import type { AddressRules } from './rules.ts'

export type EndpointUrlCheck =
  | { url: URL; addresses: VettedAddress[] }
  /** `layer`: what refused it. A `name` may resolve another time; a URL or an address has to be changed. */
  | { fault: string; layer: 'url' | 'name' | 'address' }

/**
 * The one check there is: for an endpoint that is saved, a test event and every attempt. What it answers holds for the
 * connections made right after it, and only to the addresses it gives; the next attempt asks again.
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
 * The part that depends on nothing but the text and the rules: all of it for an address, all but its answers for a name. The same few
 * URLs are judged at every attempt, so what came of it is kept for as long as the rules are.
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
