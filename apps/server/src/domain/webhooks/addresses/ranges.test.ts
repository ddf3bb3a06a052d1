import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { judgeAddress, judgeUrl } from './endpoint-addresses.ts'

/** The same ranges in another notation, checked by arithmetic, so that a mistake in either of the two is found. */
const rules = { ownUrl: new URL('https://querypost.example.net'), allowedNetworks: [] }
const passes = (address: string) => 'address' in judgeAddress(address, rules)
const passesInUrl = (host: string) => 'url' in judgeUrl(`https://${host}/`, rules)

/** First and last address of each rejected block. */
const refusedIPv4 = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['168.63.129.16', '168.63.129.16'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.0.0', '192.0.0.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.88.99.0', '192.88.99.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '255.255.255.255'],
] as const

/** For IPv6 the allowed ranges are fewer. */
const passingIPv6 = [
  ['2000:0:0:0:0:0:0:0', '2000:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:200:0:0:0:0:0:0', '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2001:db9:0:0:0:0:0:0', '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['2003:0:0:0:0:0:0:0', '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['3fff:1000:0:0:0:0:0:0', '3fff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
] as const

/** As masks: a rejected block is a number and its count of significant leading bits. */
const refusedMasks: [number, number][] = [
  [0x00000000, 8],
  [0x0a000000, 8],
  [0x64400000, 10],
  [0x7f000000, 8],
  [0xa83f8110, 32],
  [0xa9fe0000, 16],
  [0xac100000, 12],
  [0xc0000000, 24],
  [0xc0000200, 24],
  [0xc0586300, 24],
  [0xc0a80000, 16],
  [0xc6120000, 15],
  [0xc6336400, 24],
  [0xcb007100, 24],
  [0xe0000000, 3],
]
const isRefusedByMask = (value: number) =>
  refusedMasks.some(([block, bits]) => value >>> (32 - bits) === block >>> (32 - bits))

const toNumber = (dotted: string) => dotted.split('.').reduce((value, byte) => value * 256 + Number(byte), 0)
const toDotted = (value: number) => [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join('.')
const toBig = (groups: string) => groups.split(':').reduce((value, group) => value * 65536n + BigInt(`0x${group}`), 0n)
const toGroups = (value: bigint) =>
  Array.from({ length: 8 }, (_, group) => ((value >> BigInt(112 - group * 16)) & 0xffffn).toString(16))
const isPassingIPv6 = (value: bigint) =>
  passingIPv6.some(([first, last]) => toBig(first) <= value && value <= toBig(last))

const runs = { seed: 20260105, numRuns: 5000 }

describe('the edges', () => {
  test.each(refusedIPv4)('of %s to %s', (first, last) => {
    expect([first, last].map(passes)).toEqual([false, false])
    const neighbors = [toNumber(first) - 1, toNumber(last) + 1].filter((value) => value >= 0 && value <= 0xffffffff)
    expect(neighbors.map(toDotted).filter((neighbor) => !passes(neighbor))).toEqual([])
  })

  test.each(passingIPv6)('of %s to %s', (first, last) => {
    expect([first, last].map(passes)).toEqual([true, true])
    expect(passes(toGroups(toBig(first) - 1n).join(':'))).toBe(false)
    expect(passes(toGroups(toBig(last) + 1n).join(':'))).toBe(false)
  })
})

/** Anywhere, and more often near an edge. */
const ipv4 = fc.oneof(
  fc.integer({ min: 0, max: 0xffffffff }),
  fc
    .tuple(fc.constantFrom(...refusedIPv4.flat()), fc.integer({ min: -300, max: 300 }))
    .map(([edge, offset]) => Math.min(Math.max(toNumber(edge) + offset, 0), 0xffffffff)),
)
const ipv6 = fc.oneof(
  fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }),
  fc.bigInt({ min: 0x2000n << 112n, max: (0x4000n << 112n) - 1n }),
  fc
    .tuple(fc.constantFrom(...passingIPv6.flat()), fc.bigInt({ min: -(1n << 100n), max: 1n << 100n }))
    .map(([edge, offset]) => toBig(edge) + offset),
)

describe('any address is judged as by arithmetic', () => {
  test('IPv4', () => {
    fc.assert(
      fc.property(ipv4, (value) => {
        expect(passes(toDotted(value)), toDotted(value)).toBe(!isRefusedByMask(value))
      }),
      runs,
    )
  })

  test('IPv6', () => {
    fc.assert(
      fc.property(ipv6, (value) => {
        expect(passes(toGroups(value).join(':'))).toBe(isPassingIPv6(value))
      }),
      runs,
    )
  })
})

describe('any spelling is judged alike', () => {
  const fullWidth = (text: string) =>
    text.replaceAll(/[!-~]/g, (character) => String.fromCodePoint(character.codePointAt(0)! + 0xfee0))
  const percent = (text: string) =>
    text.replaceAll(/[\da-fx]/g, (character) => `%${character.codePointAt(0)!.toString(16)}`)
  const byteSpellings = [
    (byte: number) => `${byte}`,
    (byte: number) => `0x${byte.toString(16)}`,
    (byte: number) => `0${byte.toString(8)}`,
  ]
  const dots = ['.', '。', '．', '｡', '%2e', '%E3%80%82']

  test('of IPv4 in a URL', () => {
    const spelling = fc.record({
      value: ipv4,
      bytes: fc.tuple(...Array.from({ length: 4 }, () => fc.constantFrom(...byteSpellings))),
      dot: fc.constantFrom(...dots),
      whole: fc.constantFrom<((text: string) => string)[]>((text) => text, fullWidth, percent),
    })
    fc.assert(
      fc.property(spelling, ({ value, bytes, dot, whole }) => {
        const expected = !isRefusedByMask(value)
        const parts = toDotted(value).split('.').map(Number)
        const spelled = parts.map((part, index) => whole(bytes[index]!(part))).join(dot)
        const hosts = [
          spelled,
          `${spelled}.`,
          `${value}`,
          `0x${value.toString(16)}`,
          `0${value.toString(8)}`,
          `${parts[0]}.${value & 0xffffff}`,
          `${parts[0]}.${parts[1]}.${value & 0xffff}`,
        ]
        expect(hosts.filter((host) => passesInUrl(host) !== expected)).toEqual([])
      }),
      { ...runs, numRuns: 2000 },
    )
  })

  test('of IPv6 in a URL and in an answer', () => {
    fc.assert(
      fc.property(ipv6, (value) => {
        const groups = toGroups(value)
        const full = groups.map((group) => group.padStart(4, '0'))
        const tail = toDotted(Number(value & 0xffffffffn))
        const compressed = groups.join(':').replace(/\b0(:0)+\b/, '')
        const spellings = [
          groups.join(':'),
          full.join(':'),
          full.join(':').toUpperCase(),
          `${groups.slice(0, 6).join(':')}:${tail}`,
          /::|^:|:$/.test(compressed) ? compressed.replace(/^:?$|^:(?!:)/, '::').replace(/(?<!:):$/, '::') : compressed,
        ]
        const expected = isPassingIPv6(value)
        expect(spellings.filter((text) => passes(text) !== expected)).toEqual([])
        expect(spellings.filter((text) => passesInUrl(`[${text}]`) !== expected)).toEqual([])
      }),
      { ...runs, numRuns: 2000 },
    )
  })
})
