/** Which addresses a webhook may reach. The rules are data in ranges.ts; these are the exports for other folders. */
export { parseAllowedNetworks } from './allowed-networks.ts'
export { checkEndpointUrl, type EndpointUrlCheck } from './check-endpoint-url.ts'
export { isInAllowedNetworks, judgeAddress, vetAddresses } from './judge-address.ts'
export { judgeUrl, type JudgedUrl } from './judge-url.ts'
export type { AddressRules, Judged } from './rules.ts'
