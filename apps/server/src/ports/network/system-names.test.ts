import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type DnsServer, startDnsServer } from '../../../testing/servers/dns-server.ts'
import type { Resolver } from './resolve.ts'
import { makeSystemNames } from './system-names.ts'

const { signal } = new AbortController()
let folder: string
let dns: DnsServer
let names: Resolver

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'querypost-names-'))
  dns = await startDnsServer(({ type }) => (type === 'A' ? { addresses: ['10.0.0.53'] } : {}))
  names = makeSystemNames({ hostsFile: path.join(folder, 'hosts'), dnsServers: [dns.address] })
})
afterEach(async () => {
  names.close()
  await dns.close()
  await rm(folder, { recursive: true })
})

const write = (text: string) => writeFile(path.join(folder, 'hosts'), text)

test('localhost is this machine, whatever DNS says', async () => {
  await write('10.9.9.9 localhost')
  for (const name of ['localhost', 'LocalHost.', 'shop.localhost']) {
    expect(await names.resolve(name, signal)).toEqual(['127.0.0.1', '::1'])
  }
  expect(dns.asked).toEqual([])
})

test('the current hosts file takes precedence over DNS', async () => {
  await write('# 10.1.1.1 warehouse\n10.1.1.2\tWarehouse  alias # the old one\nfd00::2 warehouse\n\n10.1.1.3 warehouses\n')
  expect(await names.resolve('warehouse', signal)).toEqual(['10.1.1.2', 'fd00::2'])
  expect(await names.resolve('alias', signal)).toEqual(['10.1.1.2'])
  await write('10.1.1.4 warehouse')
  expect(await names.resolve('warehouse', signal)).toEqual(['10.1.1.4'])
  expect(dns.asked).toEqual([])
})

test('DNS answers for all other names, without search domains, even without a hosts file', async () => {
  expect(await names.resolve('Warehouse.', signal)).toEqual(['10.0.0.53'])
  expect(dns.asked.toSorted()).toEqual(['warehouse A', 'warehouse AAAA'])
})
