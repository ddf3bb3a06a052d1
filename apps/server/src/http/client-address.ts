import { BlockList, isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Log } from '../ports/log.ts'

/**
 * The address of the client, for limits, the audit log and the request log.
 *
 * Without TRUST_PROXY it is the socket's, whatever headers say: anybody can write `X-Forwarded-For`. With it, Fastify walks the
 * header from the right, past the proxies that are trusted, and stops at the first address that is not.
 */
export function clientAddress(request: FastifyRequest): string | null {
  return plainAddress(request.ip) ?? plainAddress(request.socket.remoteAddress) ?? null
}

/** A number of proxies in a row, or their networks as CIDR blocks. */
export type TrustProxy = number | string[]

/**
 * `TRUST_PROXY` as Fastify takes it. A number counts proxies from the service outwards. It says nothing about who the nearest one is,
 * so that one must be on this machine or in a private network: a client that comes from outside cannot pass for a proxy.
 */
export function isTrustedProxy(trust: TrustProxy | null): false | string[] | ((address: string, hop: number) => boolean) {
  if (trust === null) return false
  if (typeof trust !== 'number') return trust
  return (address, hop) => hop < trust && (hop > 0 || isPrivate(plainAddress(address)))
}

const privateNetworks = new BlockList()
for (const [first, bits] of [['127.0.0.0', 8], ['10.0.0.0', 8], ['172.16.0.0', 12], ['192.168.0.0', 16], ['100.64.0.0', 10]] as const) {
  privateNetworks.addSubnet(first, bits, 'ipv4')
}
for (const [first, bits] of [['::1', 128], ['fc00::', 7], ['fe80::', 10]] as const) privateNetworks.addSubnet(first, bits, 'ipv6')

function isPrivate(address: string | undefined): boolean {
  return address !== undefined && privateNetworks.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
}

/**
 * The address alone: some proxies append a port, a dual-stack socket shows IPv4 as `::ffff:…`, and link-local addresses have a zone.
 * Undefined for text that is not an address, as the `unknown` that a proxy may write.
 */
export function plainAddress(text: string | undefined): string | undefined {
  const host = /^\[([^\]]+)\](?::\d+)?$/.exec(text ?? '')?.[1] ?? text?.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  const address = host?.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return address !== undefined && isIP(address) !== 0 ? address : undefined
}

/** Says once that a proxy seems to be there which TRUST_PROXY doesn't name: all its clients then count as one. */
export function makeForwardingHint(log: Pick<Log, 'warn'>) {
  let isSaid = false
  return async (request: FastifyRequest): Promise<void> => {
    if (isSaid || request.headers['x-forwarded-for'] === undefined) return
    isSaid = true
    log.warn({ peer: request.socket.remoteAddress }, 'X-Forwarded-For ignored: TRUST_PROXY does not name this peer')
  }
}
