import { readFile } from 'node:fs/promises'
import { makeResolver, type Resolver } from './resolve.ts'

/**
 * Names as the machine's operator means them, for servers that stand beside this one: `localhost` is this machine, then the hosts
 * file is asked (where container runtimes write their names), then DNS.
 *
 * The system's own `getaddrinfo` would do that too, and more: it occupies a thread of Node's small pool for as long as a DNS server
 * keeps silent, and a few hosts that do not answer would then hold up everything that touches a file. Search domains are not
 * tried; a name is always the whole name.
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
