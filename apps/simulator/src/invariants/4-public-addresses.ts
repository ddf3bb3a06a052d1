import { publicAddresses } from '../world/names.ts'
import type { Judge } from '../world/observed.ts'

const isPublic = (address: string) => publicAddresses.includes(address)

/**
 * 4. No request to an address that the policy refuses, whatever DNS says and when it says it.
 *
 * A worker may connect only to an address that the name resolved to in the same attempt, and only if no address in the answer is
 * private. The simulated world knows which addresses are public, since it made them up.
 */
export function publicAddressesOnly(): Judge {
  return {
    invariant: 4,
    requested({ url, addresses, nameAnswers, endpoint }) {
      const what = `request to ${url.host}`
      const inside = addresses.find((address) => !isPublic(address))
      if (inside !== undefined) return `${what} at ${inside}, which is not publicly routable`
      if (!endpoint) return `${what}, where no endpoint is`
      if (addresses.length === 0) return `${what} without an address`
      const answers = nameAnswers ?? [endpoint.plan.hostname]
      if (!answers.every(isPublic)) return `${what}, whose name also leads to ${answers.find((answer) => !isPublic(answer))}`
      const stray = addresses.find((address) => !answers.includes(address))
      return stray === undefined ? undefined : `${what} at ${stray}, which its name did not answer`
    },
  }
}
