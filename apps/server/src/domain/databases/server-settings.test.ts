import { describe, expect, test } from 'vitest'
import type { ServerSettings } from '../../model/server-settings.ts'
import { makeAuthority } from '../../../testing/servers/certificates.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { Refusal } from '../refusal.ts'
import { makeSealer } from '../sealing.ts'
import { keepPassword, openPassword, sealPassword } from './database-password.ts'
import { checkPassword, checkServerSettings } from './server-settings.ts'

const refusalOf = (check: () => unknown): { path: string; message: string } => {
  try {
    check()
  } catch (error) {
    if (error instanceof Refusal) return error.details![0]!
    throw error
  }
  return expect.fail('not rejected')
}

const given = { host: 'db.example', database: 'shop', user: 'reader' }
const authority = await makeAuthority()

describe('settings of a server', () => {
  test('are completed with defaults', () => {
    const usual = { ...given, otherHosts: [], tls: 'verified', certificateAuthority: null }
    expect(checkServerSettings('postgres', given)).toEqual({ ...usual, port: 5432 })
    expect(checkServerSettings('mysql', given)).toEqual({ ...usual, port: 3306 })
    expect(checkServerSettings('clickhouse', given)).toEqual({ ...usual, port: 8443 })
    expect(checkServerSettings('clickhouse', { host: '10.0.0.1', tls: 'off', otherHosts: [{ host: '10.0.0.2' }] })).toEqual({
      host: '10.0.0.1',
      port: 8123,
      otherHosts: [{ host: '10.0.0.2', port: 8123 }],
      database: 'default',
      user: 'default',
      tls: 'off',
      certificateAuthority: null,
    })
  })

  test('have the options that their engine defines', () => {
    const optionsOf = (options?: unknown) => checkServerSettings('trino', { ...given, options }).options
    expect(optionsOf()).toEqual({ signIn: 'password' })
    expect(optionsOf({ schema: 'sales', signIn: 'token' })).toEqual({ schema: 'sales', signIn: 'token' })
    expect(optionsOf({ schema: '' })).toEqual({ signIn: 'password' })
    expect(refusalOf(() => optionsOf({ signIn: 'kerberos' }))).toEqual({
      path: '/settings/options/signIn', message: 'must be one of password, token',
    })
    expect(refusalOf(() => optionsOf({ schema: 5 })).path).toBe('/settings/options/schema')
    expect(refusalOf(() => optionsOf({ role: 'admin' })).path).toBe('/settings/options/role')
    expect(refusalOf(() => checkServerSettings('postgres', { ...given, options: {} })).path).toBe('/settings/options')
  })

  test('are normalized', () => {
    const written = { ...given, host: ' DB.Example. ', otherHosts: [{ host: '[FD00::1]', port: 5433 }] }
    const { host, otherHosts } = checkServerSettings('postgres', written)
    expect([host, otherHosts]).toEqual(['db.example', [{ host: 'fd00::1', port: 5433 }]])
  })

  test.each([
    'fe80::1%eth0', '::1%lo', '[::1%25lo]', '%31%32%37', 'bücher.example', 'warehouse.256', '1.2.3.4.5', '127.1', '0x7f000001',
    '2130706433', '0177.0.0.1',
  ])('reject the host %s, which no engine could connect to', (host) => {
    expect(() => checkServerSettings('clickhouse', { ...given, host })).toThrow('must be a host name or an IP address alone')
  })

  test.each(['db', 'my_db.internal', 'xn--bcher-kva.example', '10.0.0.1', 'fd00::1', 'db-1.prod.example'])('accept the host %s', (host) => {
    expect(checkServerSettings('clickhouse', { ...given, host }).host).toBe(host)
  })

  test('keep certificates and drop any text around them', async () => {
    const { key } = await authority.issue({ names: ['db.example'] })
    const certificateAuthority = `subject=the authority\n${authority.certificate}\n${key}`
    const kept = checkServerSettings('postgres', { ...given, certificateAuthority }).certificateAuthority!
    expect(kept.trim()).toBe(authority.certificate.trim())
  })

  test.each([
    [undefined, '/settings'],
    ['db.example', '/settings'],
    [[], '/settings'],
    [{ ...given, sslmode: 'require' }, '/settings/sslmode'],
    [{ ...given, password: 'open' }, '/settings/password'],
    [{ database: 'shop', user: 'reader' }, '/settings/host'],
    [{ ...given, host: '' }, '/settings/host'],
    [{ ...given, host: 7 }, '/settings/host'],
    [{ ...given, host: 'https://db.example' }, '/settings/host'],
    [{ ...given, host: 'db.example:5432' }, '/settings/host'],
    [{ ...given, host: 'db..example' }, '/settings/host'],
    [{ ...given, host: 'reader@db.example' }, '/settings/host'],
    [{ ...given, host: 'a'.repeat(254) }, '/settings/host'],
    [{ ...given, host: '/var/run/postgresql' }, '/settings/host'],
    [{ ...given, port: 0 }, '/settings/port'],
    [{ ...given, port: 65536 }, '/settings/port'],
    [{ ...given, port: '5432' }, '/settings/port'],
    [{ ...given, port: 1.5 }, '/settings/port'],
    [{ ...given, otherHosts: 'db2.example' }, '/settings/otherHosts'],
    [{ ...given, otherHosts: Array.from({ length: 9 }, () => ({ host: 'db2.example' })) }, '/settings/otherHosts'],
    [{ ...given, otherHosts: [{ host: 'db2.example' }, { host: 'db 3' }] }, '/settings/otherHosts/1/host'],
    [{ ...given, otherHosts: [{ host: 'db2.example', user: 'x' }] }, '/settings/otherHosts/0/user'],
    [{ ...given, database: undefined }, '/settings/database'],
    [{ ...given, database: ' ' }, '/settings/database'],
    [{ ...given, database: 'a\nb' }, '/settings/database'],
    [{ ...given, user: undefined }, '/settings/user'],
    [{ ...given, user: 'x'.repeat(256) }, '/settings/user'],
    [{ ...given, tls: 'required' }, '/settings/tls'],
    [{ ...given, certificateAuthority: 'trust me' }, '/settings/certificateAuthority'],
    [{ ...given, tls: 'encrypted', certificateAuthority: authority.certificate }, '/settings/certificateAuthority'],
    [
      { ...given, certificateAuthority: '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----' },
      '/settings/certificateAuthority',
    ],
  ])('are rejected as %o', (settings, path) => {
    expect(refusalOf(() => checkServerSettings('postgres', settings)).path).toBe(path)
  })
})

test('a password is any text of bounded length; an empty one counts as none', () => {
  expect(checkPassword(' pass word ')).toBe(' pass word ')
  expect(checkPassword('')).toBeNull()
  expect(checkPassword(null)).toBeNull()
  expect(refusalOf(() => checkPassword('x'.repeat(8193))).path).toBe('/password')
})

describe('a stored password', () => {
  const sealer = makeSealer({ secretKey: Buffer.alloc(32, 1), random: seededRandom('passwords') })
  const settings = checkServerSettings('postgres', { ...given, otherHosts: [{ host: 'db2.example' }] })
  const of = { id: 'db_1', organizationId: 'org_1', engine: 'postgres' as const, settings }
  const stored = { ...of, sealedPassword: sealPassword(sealer, of, 'open sesame') }
  const keep = (change: Partial<ServerSettings>) => () => keepPassword(sealer, stored, { ...settings, ...change })

  test('can be decrypted only for its own database, user and places', () => {
    expect(openPassword(sealer, stored)).toBe('open sesame')
    for (const other of [
      { id: 'db_2' },
      { organizationId: 'org_2' },
      { engine: 'mysql' as const },
      { settings: { ...settings, host: 'evil.example' } },
      { settings: { ...settings, port: 5433 } },
      { settings: { ...settings, user: 'admin' } },
      { settings: { ...settings, otherHosts: [...settings.otherHosts, { host: 'evil.example', port: 5432 }] } },
    ]) {
      expect(() => openPassword(sealer, { ...stored, ...other }), JSON.stringify(other)).toThrow('unable to authenticate')
    }
  })

  test.each<[string, Partial<ServerSettings>]>([
    ['another database', { database: 'bank' }],
    ['fewer places', { otherHosts: [] }],
    ['the places in another order', { host: 'db2.example', otherHosts: [{ host: 'db.example', port: 5432 }] }],
  ])('is kept for %s of the same server', (_, change) => {
    const sealedPassword = keep(change)()
    expect(openPassword(sealer, { ...stored, settings: { ...settings, ...change }, sealedPassword })).toBe('open sesame')
  })

  test.each<[Partial<ServerSettings>, string]>([
    [{ host: 'evil.example' }, 'evil.example:5432'],
    [{ port: 5433 }, 'db.example:5433'],
    [{ otherHosts: [{ host: 'fd00::1', port: 5432 }] }, '[fd00::1]:5432'],
    [{ user: 'admin' }, 'another user'],
    [{ tls: 'off' }, 'less secure'],
    [{ tls: 'encrypted' }, 'less secure'],
    [{ certificateAuthority: authority.certificate }, 'other servers would be trusted'],
  ])('must be entered again for %o', (change, reason) => {
    expect(refusalOf(keep(change))).toEqual({ path: '/password', message: expect.stringContaining(reason) })
  })

  test('is not required if there is none', () => {
    expect(keepPassword(sealer, { ...stored, sealedPassword: null }, { ...settings, host: 'new.example' })).toBeNull()
  })

  test('must be entered again if it was encrypted with another SECRET_KEY', () => {
    const other = makeSealer({ secretKey: Buffer.alloc(32, 2), random: seededRandom('others') })
    expect(refusalOf(() => keepPassword(other, stored, settings)).message).toContain('SECRET_KEY')
  })
})
