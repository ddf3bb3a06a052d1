import { describe, expect, test } from 'vitest'
import type { EntryPolicy } from '../../store/people/entry-policies.ts'
import { decideEntry, type Identified } from './decide-entry.ts'

const shop: EntryPolicy = { organizationId: 'shop', role: 'member', secondFactorRequired: false, ssoRequired: false }
const bank: EntryPolicy = { ...shop, organizationId: 'bank' }
const person: Identified = { method: 'password', hasSecondFactor: false, isCodeVerified: false, isSsoAvailable: true }
const withFactor = { ...person, hasSecondFactor: true }
const verified = { ...withFactor, isCodeVerified: true }
const byProvider = { ...person, method: 'oidc' as const }
const open = (organizationId: string) => ({ kind: 'open', organizationId })

describe('decideEntry', () => {
  test.each<[string, EntryPolicy[], Identified, object]>([
    ['opens the organization joined first', [shop, bank], person, open('shop')],
    ['rejects someone without an organization', [], byProvider, { kind: 'none' }],
    ['asks for the second factor with a password', [shop], withFactor, { kind: 'code' }],
    ['asks for the second factor in a session of unknown origin', [shop], { ...withFactor, method: null }, { kind: 'code' }],
    ['asks for the second factor after a password reset', [shop], { ...withFactor, method: 'password_reset' }, { kind: 'code' }],
    ['opens with a verified code', [shop], verified, open('shop')],
    ['leaves the second factor to the provider', [shop], { ...withFactor, method: 'oidc' }, open('shop')],
  ])('%s', (_, policies, given, expected) => expect(decideEntry(policies, given)).toEqual(expected))

  const strict = { ...shop, secondFactorRequired: true }
  test.each<[string, EntryPolicy[], Identified, object]>([
    ['requires a second factor to be set up', [strict], person, { kind: 'set_up' }],
    ['requires it also of new people', [strict], { ...person, method: 'invitation' }, { kind: 'set_up' }],
    ['asks those who have one for it', [strict], withFactor, { kind: 'code' }],
    ['opens with a verified code', [strict], verified, open('shop')],
    ['leaves the second factor to the provider', [strict], byProvider, open('shop')],
    ['does not require it for another organization', [bank, strict], person, open('bank')],
  ])('with a required second factor: %s', (_, policies, given, expected) => expect(decideEntry(policies, given)).toEqual(expected))

  const sso = { ...shop, ssoRequired: true }
  const asAdmin = { ...sso, role: 'admin' as const }
  test.each<[string, EntryPolicy[], Identified, object]>([
    ['rejects passwords', [sso], person, { kind: 'sso' }],
    ['rejects passwords of members with a second factor', [sso], verified, { kind: 'sso' }],
    ['rejects passwords of admins without a second factor', [asAdmin], person, { kind: 'sso' }],
    ['asks an admin with a second factor for it', [asAdmin], withFactor, { kind: 'code' }],
    ['admits an admin with a verified code', [asAdmin], verified, open('shop')],
    ['admits people identified by the provider', [sso], byProvider, open('shop')],
    ['opens another organization that admits the person', [sso, bank], person, open('bank')],
    ['has no effect without a provider', [sso], { ...person, isSsoAvailable: false }, open('shop')],
  ])('with required single sign-on: %s', (_, policies, given, expected) => expect(decideEntry(policies, given)).toEqual(expected))
})
