import { readFile } from 'node:fs/promises'
import { makeResolver, type Resolver } from './resolve.ts'

/**
 * Resolves names as the machine's operator means them, for servers in the same network: `localhost` is this machine, then the hosts
 * file is used (where container runtimes write their names), then DNS.
 *
 * The system's `getaddrinfo` would do that too, but it occupies a thread of Node's small pool while a DNS server is silent, so a
 * few unresponsive hosts would block everything that accesses files. Search domains are not tried; a name is always complete.
 */
export function makeSystemNames(options: { hostsFile?: string; dnsServers?: readonly string[] } = {}): Resolver {
  const { hostsFile = '/etc/hosts' } = options
  const resolver = makeResolver(options)
  return {
    async resolve(hostname, signal) {
      const name = hostname.toLowerCase().replace(/\.$/, '')
      if (name === 'localhost' || name.endsWith('.localhost')) return ['127.0.0.1', '::1']
      // Read each time: it is small, and the operator may change it while the service runs.
      const written = addressesIn(await readFile(hostsFile, 'utf8').catch(() => ''), name)
      return written.length > 0 ? written : resolver.resolve(name, signal)
    },
    close: () => resolver.close(),
  }
}

function addressesIn(hosts: string, name: string): string[] {
  return hosts.split('\n').flatMap((line) => {
    const [address, ...names] = line.replace(/#.*/, '').trim().split(/\s+/)
    return address && names.some((each) => each.toLowerCase() === name) ? [address] : []
  })
}
