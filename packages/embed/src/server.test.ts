import { jwtVerify } from 'jose'
import { expect, test } from 'vitest'
import { type EmbedTokenOptions, signEmbedToken } from './server.ts'

const now = new Date('2026-01-05T09:00:00.400Z')
const options: EmbedTokenOptions = {
  keyId: 'embed_key',
  secret: 'aB3'.repeat(16),
  resource: 'board',
  shortId: 'b7m2p9qxwd',
  parameters: { customer_id: 42, regions: ['north', 'süd'] },
  now,
}
const verify = (token: string) =>
  jwtVerify(token, Buffer.from(options.secret), { algorithms: ['HS256'], audience: 'querypost-embed', currentDate: now })

test('signs a token that another library verifies', async () => {
  const { payload, protectedHeader } = await verify(signEmbedToken({ ...options, viewerParameters: ['period'], downloads: ['xlsx'] }))
  const iat = Date.parse('2026-01-05T09:00:00Z') / 1000
  expect(protectedHeader).toEqual({ alg: 'HS256', kid: 'embed_key' })
  expect(payload).toEqual({
    aud: 'querypost-embed',
    resource: 'board',
    shortId: 'b7m2p9qxwd',
    parameters: { customer_id: 42, regions: ['north', 'süd'] },
    viewerParameters: ['period'],
    downloads: ['xlsx'],
    iat,
    exp: iat + 600,
  })
  const plain = await verify(signEmbedToken({ ...options, parameters: {}, lifetimeSeconds: 86_400 }))
  expect(Object.keys(plain.payload).toSorted()).toEqual(['aud', 'exp', 'iat', 'parameters', 'resource', 'shortId'])
})

const wrong = (given: object) => given as Partial<EmbedTokenOptions>
test.each<[string, Partial<EmbedTokenOptions>, string]>([
  ['no secret', { secret: '' }, 'missing_secret'],
  ['a secret from a variable that is not set', wrong({ secret: undefined }), 'missing_secret'],
  ['no key id', wrong({ keyId: undefined }), 'missing_secret'],
  ['another kind of item', wrong({ resource: 'query' }), 'bad_options'],
  ['no item', { shortId: '' }, 'bad_options'],
  ['no parameters', wrong({ parameters: undefined }), 'bad_options'],
  ['a list of parameters', wrong({ parameters: [] }), 'bad_options'],
  ['a value that is not there', wrong({ parameters: { customer_id: undefined } }), 'missing_value'],
  ['null', wrong({ parameters: { customer_id: null } }), 'missing_value'],
  ['a number that is none', { parameters: { customer_id: NaN } }, 'missing_value'],
  ['an object', wrong({ parameters: { customer_id: {} } }), 'missing_value'],
  ['a list with a missing value', wrong({ parameters: { regions: ['north', undefined] } }), 'missing_value'],
  ['more than 24 hours', { lifetimeSeconds: 86_401 }, 'lifetime_too_long'],
  ['no lifetime', { lifetimeSeconds: 0 }, 'bad_options'],
  ['half a second', { lifetimeSeconds: 0.5 }, 'bad_options'],
  ['far too many values', { parameters: { ids: Array.from({ length: 2000 }, (_, id) => id) } }, 'token_too_long'],
])('rejects %s', (_, change, code) => {
  const sign = () => signEmbedToken({ ...options, ...change })
  expect(sign).toThrow(expect.objectContaining({ name: 'EmbedTokenError', code }))
  expect(sign).toThrow(expect.not.objectContaining({ message: expect.stringContaining(options.secret) }))
})
