import { networkInterfaces } from 'node:os'

/** The addresses of this machine's network interfaces as they are now, loopback included, without IPv6 zones. */
export function readOwnAddresses(): string[] {
  return Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address.replace(/%.*$/, '')))
}
