import { networkInterfaces } from 'node:os'

/** The current addresses of this machine's network interfaces, including loopback, without IPv6 zones. */
export function readOwnAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address.replace(/%.*$/, '')))
}
