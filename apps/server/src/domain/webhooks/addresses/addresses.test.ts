import { describe, expect, test } from 'vitest'
import { NameError } from '../../../ports/network/network.ts'
import {
  type AddressRules,
  checkEndpointUrl,
  judgeAddress,
  judgeUrl,
  parseAllowedNetworks,
  vetAddresses,
} from './endpoint-addresses.ts'

const rules: AddressRules = { ownUrl: new URL('https://querypost.example.net'), allowedNetworks: [] }
const allowing = (text: string): AddressRules => {
  const parsed = parseAllowedNetworks(text)
  if ('fault' in parsed) throw new Error(parsed.fault)
  return { ...rules, allowedNetworks: parsed.networks }
}

const faultOf = (judged: object) => ('fault' in judged ? judged.fault : undefined)
const signal = new AbortController().signal

describe('an address', () => {
  test('names the rule that rejects it', () => {
    expect(faultOf(judgeAddress('127.0.0.1', rules))).toBe('This address is not publicly routable: loopback (127.0.0.0/8).')
    expect(faultOf(judgeAddress('fe80::1%eth0', rules))).toContain('with a zone')
    expect(faultOf(judgeAddress('4000::1', rules))).toContain('not global unicast (outside of 2000::/3)')
    expect(faultOf(judgeAddress('example.com', rules))).toContain('not an IP address')
  })

  test('is normalized when it passes', () => {
    expect(judgeAddress('2606:4700:0:0:0:0:0:6810', rules)).toEqual({ address: '2606:4700::6810' })
    expect(judgeAddress('2606:4700::0.0.104.16', rules)).toEqual({ address: '2606:4700::6810' })
    expect(judgeAddress('93.184.215.14', rules)).toEqual({ address: '93.184.215.14' })
  })

  test('passes if the operator allows its network', () => {
    expect(judgeAddress('10.20.3.4', allowing('10.20.0.0/16'))).toEqual({ address: '10.20.3.4' })
    expect(faultOf(judgeAddress('10.21.3.4', allowing('10.20.0.0/16')))).toContain('private network')
    expect(judgeAddress('fd12::1', allowing('10.0.0.0/8 fd12::/16'))).toEqual({ address: 'fd12::1' })
    expect(faultOf(judgeAddress('fd13::1', allowing('10.0.0.0/8 fd12::/16')))).toContain('unique local')
  })

  test('that is IPv4 mapped into IPv6 is rejected, whatever is allowed', () => {
    for (const allowed of ['', '10.0.0.0/8', '::/0', '0.0.0.0/0, ::/0']) {
      for (const mapped of ['::ffff:10.0.0.1', '::ffff:a00:1', '0:0:0:0:0:ffff:0a00:0001', '::ffff:93.184.215.14']) {
        expect(faultOf(judgeAddress(mapped, allowing(allowed))), `${mapped} with ${allowed}`).toContain('IPv4-mapped')
      }
    }
  })
})

describe('the answers for a name', () => {
  test('pass together, IPv4 first, each once', () => {
    const answers = ['2606:4700::1', '1.1.1.1', '2606:4700::2', '1.0.0.1', '1.1.1.1', '2606:4700:0::1']
    expect(vetAddresses(answers, rules)).toEqual({
      addresses: ['1.1.1.1', '1.0.0.1', '2606:4700::1', '2606:4700::2'],
    })
  })

  test('are rejected together', () => {
    expect(faultOf(vetAddresses(['1.1.1.1', '10.0.0.1'], rules))).toContain('private network (10.0.0.0/8)')
    expect(faultOf(vetAddresses(['1.1.1.1', 'fd00::1'], rules))).toContain('unique local')
  })

  test('must not be empty', () => {
    expect(faultOf(vetAddresses([], rules))).toContain('must resolve to a publicly routable address')
  })
})

describe('the URL', () => {
  test('is normalized by parsing', () => {
    const judged = judgeUrl(' https://HOOKS.Example.com:443/a\tb?c=d ', rules)
    expect(faultOf(judged)).toBeUndefined()
    expect('url' in judged && judged.url.href).toBe('https://hooks.example.com/ab?c=d')
  })

  test('has at most 2048 characters, as written and as parsed', () => {
    const base = 'https://hooks.example.com/'
    expect(faultOf(judgeUrl(base.padEnd(2048, 'a'), rules))).toBeUndefined()
    expect(faultOf(judgeUrl(base.padEnd(2049, 'a'), rules))).toContain('at most 2048')
    expect(faultOf(judgeUrl(base.padEnd(700, 'ü'), rules))).toContain('at most 2048')
  })

  test("is not the service's own, taking the effective port into account", () => {
    const plain = { ...rules, ownUrl: new URL('http://querypost.example.net') }
    const address = { ...rules, ownUrl: new URL('https://93.184.215.14') }
    expect(faultOf(judgeUrl('https://querypost.example.net./x', rules))).toContain('own address')
    expect(faultOf(judgeUrl('https://QueryPost.example.net:443', rules))).toContain('own address')
    expect(faultOf(judgeUrl('https://querypost.example.net:8443', rules))).toBeUndefined()
    expect(faultOf(judgeUrl('https://querypost.example.net', plain))).toBeUndefined()
    expect(faultOf(judgeUrl('https://querypost.example.net:80', plain))).toContain('own address')
    expect(faultOf(judgeUrl('https://93.184.215.14', address))).toContain('own address')
  })

  test('has no exceptions other than for addresses', () => {
    const all = allowing('0.0.0.0/0 ::/0')
    expect(faultOf(judgeUrl('https://10.0.0.1/', all))).toBeUndefined()
    expect(faultOf(judgeUrl('https://[fd00::1]/', all))).toBeUndefined()
    expect(faultOf(judgeUrl('https://localhost/', all))).toContain('local')
    expect(faultOf(judgeUrl('http://10.0.0.1/', all))).toContain('https')
  })
})

describe('the allowed networks', () => {
  const texts = (text: string) => {
    const parsed = parseAllowedNetworks(text)
    return 'fault' in parsed ? parsed.fault : parsed.networks.map((network) => network.text)
  }

  test('are blocks of either family', () => {
    expect(texts('')).toEqual([])
    expect(texts(' 10.0.0.0/8,192.168.1.0/24  fd00::/8 ,, 172.16.5.4 ::1 0.0.0.0/0')).toEqual([
      '10.0.0.0/8',
      '192.168.1.0/24',
      'fd00::/8',
      '172.16.5.4/32',
      '::1/128',
      '0.0.0.0/0',
    ])
  })

  test.each([
    ['10.0.0.0/33', 'from 0 to 32'],
    ['fd00::/129', 'from 0 to 128'],
    ['10.0.0.0/', 'from 0 to 32'],
    ['10.0.0.0/+8', 'from 0 to 32'],
    ['10.0.0.0/8/8', 'not a CIDR block'],
    ['10.0/8', 'not a CIDR block'],
    ['010.0.0.0/8', 'not a CIDR block'],
    ['0xa000000/8', 'not a CIDR block'],
    ['fe80::%eth0/10', 'not a CIDR block'],
    ['intranet', 'not a CIDR block'],
    ['10.1.2.3/8', 'the block is 10.0.0.0/8'],
    ['10.1.2.3/31', 'the block is 10.1.2.2/31'],
    ['fd00:1::5/32', 'the block is fd00:1::/32'],
    ['fd00::f/125', 'the block is fd00::8/125'],
    ['::ffff:10.0.0.0/104', 'as an IPv4 block'],
  ])('are rejected as %s', (text, fault) => {
    expect(texts(`192.168.0.0/16, ${text}`)).toContain(fault)
  })
})

describe('the check of an endpoint', () => {
  const network = (answer: () => Promise<string[]>) => ({ resolve: answer })
  const check = (text: string, answer: () => Promise<string[]>) =>
    checkEndpointUrl({ network: network(answer), rules }, text, signal)

  test('returns the addresses to dial', async () => {
    expect(await check('https://hooks.example.com/x', async () => ['2606:4700::1', '1.1.1.1'])).toEqual({
      url: new URL('https://hooks.example.com/x'),
      addresses: ['1.1.1.1', '2606:4700::1'],
    })
  })

  test('does not resolve an address', async () => {
    const nobody = async (): Promise<string[]> => expect.fail('asked')
    expect(await check('https://0x01010101/', nobody)).toMatchObject({ addresses: ['1.1.1.1'] })
    expect(await check('https://[2606:4700::1]/', nobody)).toMatchObject({ addresses: ['2606:4700::1'] })
    expect(await check('https://0x7f000001/', nobody)).toMatchObject({ layer: 'url' })
    expect(await check('https://localhost/', nobody)).toMatchObject({ layer: 'url' })
  })

  test('rejects a name that resolves to a private address or not at all', async () => {
    expect(await check('https://a.example/', async () => ['1.1.1.1', '::1'])).toEqual({
      fault: 'This address is not publicly routable: loopback (::1/128).',
      layer: 'address',
    })
    const failing = (isFinal: boolean) => () => Promise.reject(new NameError('no', isFinal))
    expect(await check('https://a.example/', failing(true))).toEqual({
      fault:
        'The host name a.example must resolve to a publicly routable address: the name does not exist or has no address.',
      layer: 'name',
    })
    expect(await check('https://a.example/', failing(false))).toMatchObject({ fault: expect.stringContaining('try again') })
  })

  test('does not hide an error of the port', async () => {
    await expect(check('https://a.example/', () => Promise.reject(new TypeError('bug')))).rejects.toThrow('bug')
  })
})
