import { describe, expect, test } from 'vitest'
import { type AddressRules, checkEndpointUrl, judgeAddress, judgeUrl, vetAddresses } from './endpoint-addresses.ts'
import { acceptedAnswers, acceptedUrls, ownUrl, type Refused, refusedAnswers, refusedUrls } from '../../../../testing/deliveries/address-corpus.ts'

const rules: AddressRules = { ownUrl: new URL(ownUrl), allowedNetworks: [] }
const { signal } = new AbortController()
const faultOf = (judged: object) => ('fault' in judged ? judged.fault : 'accepted')
const rows = (groups: Refused[]) =>
  groups.flatMap(({ rule, inputs }) => inputs.map((input) => ({ rule, input, shown: JSON.stringify(input).slice(0, 90) })))

/** A network that must not be asked, and one that returns given answers. */
const unasked = { resolve: () => expect.fail('a name was resolved') }
const answering = (answers: string[]) => ({ resolve: () => Promise.resolve(answers) })

test('the corpus is as large as it says', () => {
  const refused = [...rows(refusedUrls), ...rows(refusedAnswers)].map(({ input }) => input)
  expect(new Set(refused).size).toBeGreaterThan(350)
  expect(acceptedUrls.length).toBeGreaterThanOrEqual(40)
})

describe('rejects a URL before anything is resolved', () => {
  test.each(rows(refusedUrls))('$shown: $rule', async ({ input, rule }) => {
    expect(faultOf(judgeUrl(input, rules))).toContain(rule)
    expect(await checkEndpointUrl({ network: unasked, rules }, input, signal)).toMatchObject({ layer: 'url' })
  })
})

describe('rejects a DNS answer, alone and among others', () => {
  test.each(rows(refusedAnswers))('$shown: $rule', async ({ input, rule }) => {
    expect(faultOf(judgeAddress(input, rules))).toContain(rule)
    for (const answers of [[input], [input, '1.1.1.1'], ['2606:4700::1', '1.1.1.1', input]]) {
      const checked = await checkEndpointUrl({ network: answering(answers), rules }, 'https://hooks.example.com/', signal)
      expect(checked).toEqual({ fault: expect.stringContaining(rule), layer: 'address' })
    }
  })
})

describe('accepted', () => {
  test.each(acceptedUrls)('%s', (text) => {
    expect(judgeUrl(text, rules)).toHaveProperty('url')
  })

  test.each(acceptedAnswers)('%s', (address) => {
    expect(judgeAddress(address, rules)).toEqual({ address })
    expect(vetAddresses([address], rules)).toEqual({ addresses: [address] })
  })
})
