import { describe, expect, test } from 'vitest'
import { EngineError } from '../../engines/engine.ts'
import { ServerRefused } from '../../engines/server-options.ts'
import { NameError } from '../../ports/network/network.ts'
import { parseAllowedNetworks } from '../webhooks/addresses/endpoint-addresses.ts'
import { type DatabaseAddressRules, findClosedNetwork, judgeDatabaseAddress, makeAddressesOf } from './database-addresses.ts'
import type { Surroundings } from './surroundings.ts'

const allowing = (text: string): DatabaseAddressRules => {
  const parsed = parseAllowedNetworks(text)
  if ('fault' in parsed) throw new Error(parsed.fault)
  return { allowedNetworks: parsed.networks }
}
const anywhere = allowing('')
/** One organization, and an embedded store. */
const alone: Surroundings = { hasSeveralOrganizations: false, ownAddresses: ['127.0.0.1', '::1', '10.0.0.7'], storeServer: null, store: null }
const place = (host: string, port = 5432) => ({ host, port })
const faultOf = (address: string, rules = anywhere, surroundings = alone, port = 5432) => {
  const judged = judgeDatabaseAddress(place(address, port), rules, surroundings)
  return 'fault' in judged ? judged.fault : undefined
}
const { signal } = new AbortController()

describe('an address', () => {
  test.each([
    '93.184.215.14', '10.1.2.3', '172.16.0.1', '172.31.255.255', '192.168.1.1', '100.64.0.1', '127.0.0.1', '127.8.9.1',
    '::1', 'fd12:3456::1', 'fc00::1', '2606:4700::6810',
  ])('allows %s', (address) => {
    expect(judgeDatabaseAddress(place(address), anywhere, alone)).toEqual({ address })
  })

  test.each([
    ['169.254.169.254', 'link-local, cloud metadata'],
    ['169.254.0.1', 'link-local'],
    ['168.63.129.16', 'cloud metadata'],
    ['100.100.100.200', 'cloud metadata'],
    ['fd00:ec2::254', 'cloud metadata'],
    ['fd20:ce::254', 'cloud metadata'],
    ['fe80::1', 'link-local'],
    ['fec0::1', 'site-local'],
    ['0.0.0.0', 'this network'],
    ['::', 'unspecified'],
    ['224.0.0.1', 'multicast'],
    ['ff02::1', 'multicast'],
    ['255.255.255.255', 'broadcast'],
    ['240.0.0.1', 'reserved'],
    ['192.0.0.192', 'protocol assignments'],
    ['203.0.113.5', 'documentation'],
    ['198.18.0.1', 'benchmarking'],
    ['2001:db8::1', 'documentation'],
    ['2002:a00:1::', '6to4'],
    ['64:ff9b::10.0.0.1', 'IPv4/IPv6 translation'],
    ['::10.0.0.1', 'IPv4-compatible'],
    ['4000::1', 'not global unicast'],
    ['::ffff:10.0.0.1', 'IPv4-mapped'],
    ['::ffff:169.254.169.254', 'IPv4-mapped'],
    ['::ffff:a9fe:a9fe', 'IPv4-mapped'],
    ['0:0:0:0:0:ffff:7f00:1', 'IPv4-mapped'],
    ['fe80::1%eth0', 'not a valid IP address'],
    ['0x7f.1', 'not a valid IP address'],
  ])('rejects %s, whatever the operator allows: %s', (address, rule) => {
    for (const allowed of ['', '0.0.0.0/0 ::/0', '169.254.0.0/16, fe80::/10']) {
      expect(faultOf(address, allowing(allowed)), allowed).toContain(rule)
    }
  })

  test("must be in the operator's networks, if there are any", () => {
    const inside = allowing('10.20.0.0/16, fd12::/16')
    expect(faultOf('10.20.1.1', inside)).toBeUndefined()
    expect(faultOf('fd12::5', inside)).toBeUndefined()
    for (const outside of ['10.21.1.1', '127.0.0.1', '93.184.215.14', 'fd13::5', '::1', '2606:4700::1']) {
      expect(faultOf(outside, inside)).toBe(`${outside} is outside the networks allowed for databases.`)
    }
  })

  test('finds networks that the operator allows in vain', () => {
    expect(findClosedNetwork(allowing('10.0.0.0/8, 169.254.0.0/16').allowedNetworks)?.text).toBe('169.254.0.0/16')
    expect(findClosedNetwork(allowing('fe80::/64').allowedNetworks)?.text).toBe('fe80::/64')
    expect(findClosedNetwork(allowing('0.0.0.0/0, ::/0, 127.0.0.1, ::1, fd00::/8').allowedNetworks)).toBeUndefined()
  })
})

describe('this machine', () => {
  const several: Surroundings = { ...alone, hasSeveralOrganizations: true, ownAddresses: ['127.0.0.1', '::1', '10.0.0.7', 'fd12::7'] }
  const own = ['127.0.0.1', '127.0.0.53', '127.8.9.1', '::1', '0:0:0:0:0:0:0:1', '10.0.0.7', 'fd12::7', 'fd12:0::0:7']

  test.each(own)('is allowed at %s for a single organization, and rejected when there are more', (address) => {
    expect(faultOf(address)).toBeUndefined()
    expect(faultOf(address, anywhere, several)).toBe(
      `${address} is the machine that this service runs on, which is not allowed with more than one organization. ` +
        `The operator can allow it by adding ${address} to DATABASE_ALLOWED_NETWORKS.`,
    )
    expect(faultOf(address, anywhere, several, 9000)).toContain('this service runs on')
  })

  test('does not affect other machines', () => {
    for (const address of ['10.0.0.8', '192.168.1.1', 'fd12::8', '93.184.215.14']) {
      expect(faultOf(address, anywhere, several)).toBeUndefined()
    }
  })

  test.each([
    ['127.0.0.1', '127.0.0.1', true],
    ['127.0.0.1', '127.0.0.0/8', true],
    ['127.0.0.1', '127.0.0.0/30', true],
    ['127.0.0.1', '0.0.0.0/0, 127.0.0.1', true],
    ['127.0.0.1', '127.0.0.2', false],
    ['127.0.0.1', '0.0.0.0/0', false],
    ['127.0.0.1', '0.0.0.0/0, ::1', false],
    ['::1', '::1', true],
    ['::1', '::/0', false],
    ['10.0.0.7', '10.0.0.7', true],
    ['10.0.0.7', '10.0.0.0/8', false],
    ['10.0.0.7', '10.0.0.6/31', false],
  ])('at %s with DATABASE_ALLOWED_NETWORKS=%s: %s', (address, allowed, isOpen) => {
    expect(faultOf(address, allowing(allowed), several) === undefined).toBe(isOpen)
  })
})

describe('the store’s server', () => {
  const at = (storeServer: Surroundings['storeServer']): Surroundings => ({ ...alone, storeServer })
  const remote = at({ port: 5432, addresses: ['10.0.0.5', 'fd12::5', '::ffff:10.0.0.6'], isOnThisMachine: false })
  const local = at({ port: 5432, addresses: ['127.0.0.1'], isOnThisMachine: false })
  const socket = at({ port: 5432, addresses: [], isOnThisMachine: true })

  test.each(['10.0.0.5', '10.0.0.6', 'fd12::5', 'fd12:0:0::0:5', 'FD12::5'])('elsewhere is rejected at %s and its port', (address) => {
    expect(faultOf(address, anywhere, remote)).toBe(
      `${address}, port 5432, is the PostgreSQL server with this service’s own data. ` +
        `The operator can allow it by adding ${address} to DATABASE_ALLOWED_NETWORKS.`,
    )
    expect(faultOf(address, anywhere, remote, 5433)).toBeUndefined()
    expect(faultOf(address, allowing('0.0.0.0/0, ::/0'), remote)).toContain('own data')
    expect(faultOf(address, allowing(address), remote)).toBeUndefined()
  })

  test.each(['127.0.0.1', '127.0.0.2', '::1', '10.0.0.7'])('on this machine is also rejected at %s', (address) => {
    for (const surroundings of [local, socket]) {
      expect(faultOf(address, anywhere, surroundings)).toContain('own data')
      expect(faultOf(address, allowing('127.0.0.0/8, 0.0.0.0/0, ::/0'), surroundings)).toContain('own data')
      expect(faultOf(address, anywhere, surroundings, 5433)).toBeUndefined()
      expect(faultOf(address, allowing(address), surroundings)).toBeUndefined()
    }
  })

  test('does not affect other servers on its port', () => {
    for (const surroundings of [remote, local, socket]) {
      expect(faultOf('10.0.0.9', anywhere, surroundings)).toBeUndefined()
      expect(faultOf('93.184.215.14', anywhere, surroundings)).toBeUndefined()
    }
    expect(faultOf('127.0.0.1', anywhere, remote)).toBeUndefined()
  })

  test('is rejected in IPv4-mapped form, like all such addresses', () => {
    expect(faultOf('::ffff:127.0.0.1', allowing('127.0.0.1'), local)).toContain('IPv4-mapped')
  })
})

describe('a host', () => {
  const asking = (answer: () => string[] | Error, rules = anywhere, surroundings = alone) => {
    const asked: string[] = []
    const addressesOf = makeAddressesOf({
      rules,
      surroundings: async () => surroundings,
      names: {
        async resolve(name) {
          asked.push(name)
          const given = answer()
          if (given instanceof Error) throw given
          return given
        },
      },
    })
    return { asked, addressesOf }
  }
  const failure = async (answer: Promise<string[]>) => {
    const error = await answer.then(() => expect.fail('resolved'), (thrown: unknown) => thrown as EngineError)
    expect(error).toBeInstanceOf(EngineError)
    expect(error.kind).toBe('unreachable')
    return error.message
  }

  test('that is an address is not resolved', async () => {
    const { addressesOf, asked } = asking(() => [])
    expect(await addressesOf(place('10.0.0.1'), signal)).toEqual(['10.0.0.1'])
    expect(await addressesOf(place('fd00::1'), signal)).toEqual(['fd00::1'])
    expect(await failure(addressesOf(place('169.254.169.254'), signal))).toContain('is not allowed for databases: link-local')
    expect(asked).toEqual([])
  })

  test('is resolved for each connection, since its address may change', async () => {
    const answers = [['10.0.0.1'], ['169.254.169.254'], ['10.0.0.2']]
    const { addressesOf, asked } = asking(() => answers.shift()!)
    expect(await addressesOf(place('db.example'), signal)).toEqual(['10.0.0.1'])
    const fault = await failure(addressesOf(place('db.example'), signal))
    expect(fault).toContain('The host name db.example resolves to a forbidden address: 169.254.169.254')
    expect(await addressesOf(place('db.example'), signal)).toEqual(['10.0.0.2'])
    expect(asked).toHaveLength(3)
  })

  test('with several addresses gives only the allowed ones, each once', async () => {
    const all = ['169.254.169.254', '10.0.0.1', '::ffff:10.0.0.9', 'fd00::1', '10.0.0.1', '8.8.8.8']
    expect(await asking(() => all).addressesOf(place('db.example'), signal)).toEqual(['10.0.0.1', 'fd00::1', '8.8.8.8'])
    const narrow = asking(() => all, allowing('10.0.0.0/8'))
    expect(await narrow.addressesOf(place('db.example'), signal)).toEqual(['10.0.0.1'])
  })

  test("that resolves to the store's server is rejected, even if it moves there later", async () => {
    const surroundings = { ...alone, storeServer: { port: 5432, addresses: ['10.0.0.5'], isOnThisMachine: false } }
    const answers = [['10.0.0.4'], ['10.0.0.5'], ['10.0.0.5', '10.0.0.4']]
    const { addressesOf } = asking(() => answers.shift()!, anywhere, surroundings)
    expect(await addressesOf(place('db.example'), signal)).toEqual(['10.0.0.4'])
    const refused = addressesOf(place('db.example'), signal)
    await expect(refused).rejects.toBeInstanceOf(ServerRefused)
    const fault = 'The host name db.example resolves to a forbidden address: 10.0.0.5, port 5432, is the PostgreSQL server'
    expect(await failure(refused)).toContain(fault)
    expect(await addressesOf(place('db.example'), signal)).toEqual(['10.0.0.4'])
  })

  test('that does not resolve says so, and whether a retry may help', async () => {
    const failing = (isFinal: boolean) => asking(() => new NameError('no', isFinal)).addressesOf(place('db.example'), signal)
    expect(await failure(failing(true))).toBe('The host name db.example does not exist or has no address.')
    expect(await failure(failing(false))).toBe('The host name db.example could not be resolved; try again.')
    await expect(asking(() => new TypeError('bug')).addressesOf(place('db.example'), signal)).rejects.toThrow(TypeError)
  })
})
