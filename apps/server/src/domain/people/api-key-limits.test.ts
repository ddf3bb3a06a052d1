import { describe, expect, test } from 'vitest'
import { checkLimits, keyProblem } from './api-key-limits.ts'

const now = new Date('2026-01-05T09:00:00.000Z')
const later = new Date('2026-02-01T00:00:00.000Z')

describe('the limits of a new key', () => {
  test('are null if they are left out', () => {
    expect(checkLimits({}, now)).toEqual({ scopes: null, expiresAt: null, allowedNetworks: null })
  })

  test('have each scope once, and networks in one notation', () => {
    const given = { scopes: ['write:boards', 'read', 'read'], expiresAt: later, allowedNetworks: ['203.0.113.7', '2001:db8::/32'] }
    expect(checkLimits(given, now)).toEqual({
      scopes: ['read', 'write:boards'],
      expiresAt: later,
      allowedNetworks: ['203.0.113.7/32', '2001:db8::/32'],
    })
  })

  test.each([
    [{ scopes: [] }, '/scopes'],
    [{ scopes: ['read', 'everything'] }, '/scopes/1'],
    [{ scopes: ['admin:boards'] }, '/scopes/0'],
    [{ expiresAt: now }, '/expiresAt'],
    [{ allowedNetworks: [] }, '/allowedNetworks'],
    [{ allowedNetworks: ['10.0.0.0/8', 'office'] }, '/allowedNetworks/1'],
    [{ allowedNetworks: ['10.0.0.0/33'] }, '/allowedNetworks/0'],
    [{ allowedNetworks: ['10.0.0.0/8, 11.0.0.0/8'] }, '/allowedNetworks/0'],
    [{ allowedNetworks: [' '] }, '/allowedNetworks/0'],
    [{ allowedNetworks: Array<string>(51).fill('10.0.0.0/8') }, '/allowedNetworks'],
  ])('are rejected: %j', (given, path) => {
    expect(() => checkLimits(given, now)).toThrow(expect.objectContaining({ code: 'invalid_request', details: [expect.objectContaining({ path })] }))
  })
})

describe('a key', () => {
  const key = { expiresAt: null, isExpired: false, allowedNetworks: null }
  const inOffice = { ...key, allowedNetworks: ['203.0.113.0/24', '2001:db8::/32'] }

  test('without limits is accepted from anywhere', () => {
    expect(keyProblem(key, null)).toBeUndefined()
  })

  test.each(['203.0.113.9', '2001:db8::1'])('is accepted from %s, an address in an allowed network', (address) => {
    expect(keyProblem(inOffice, address)).toBeUndefined()
  })

  test.each(['203.0.114.9', '2001:db9::1', null])('is rejected from %s, without naming its networks', (address) => {
    expect(keyProblem(inOffice, address)).toMatch(/not accepted from your address/)
    expect(keyProblem(inOffice, address)).not.toContain('203.0.113')
  })

  test('is rejected once it has expired', () => {
    expect(keyProblem({ ...key, expiresAt: later, isExpired: true }, null)).toMatch(/expired at 2026-02-01/)
  })
})
