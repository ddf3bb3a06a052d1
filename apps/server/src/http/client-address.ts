import { BlockList, isIP, isIPv4 } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { Log } from '../ports/log.ts'

/**
 * The address of the client, for limits, the audit log and the request log.
 *
 * Without TRUST_PROXY it is the socket's address, because any client can send `X-Forwarded-For`. With it, Fastify walks the header
 * from the right and stops at the first address that is not a trusted proxy.
 */
export function clientAddress(request: FastifyRequest): string | null {
  return plainAddress(request.ip) ?? plainAddress(request.socket.remoteAddress) ?? null
}

/** A number of proxies in a row, or their networks as CIDR blocks. */
export type TrustProxy = number | string[]

/**
 * Converts `TRUST_PROXY` for Fastify. A number counts proxies outwards from the service. It does not identify the nearest proxy, so
 * that one must be on this machine or in a private network: a client from outside cannot pose as a proxy.
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
 * Strips what is not part of the address: some proxies append a port, a dual-stack socket shows IPv4 as `::ffff:…`, and link-local
 * addresses have a zone. Undefined for text that is not an address, such as the `unknown` that some proxies write.
 */
export function plainAddress(text: string | undefined): string | undefined {
  // Most are, and each request needs several.
  if (text !== undefined && isIPv4(text)) return text
  const host = /^\[([^\]]+)\](?::\d+)?$/.exec(text ?? '')?.[1] ?? text?.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  const address = host?.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '')
  return address !== undefined && isIP(address) !== 0 ? address : undefined
}

/** Warns once about a proxy that TRUST_PROXY does not include: all of its clients would count as one. */
export function makeForwardingHint(log: Pick<Log, 'warn'>) {
  let hasWarned = false
  return async (request: FastifyRequest): Promise<void> => {
    if (hasWarned || request.headers['x-forwarded-for'] === undefined) return
    hasWarned = true
    log.warn({ peer: request.socket.remoteAddress }, 'X-Forwarded-For ignored: TRUST_PROXY does not name this peer')
  }
}
