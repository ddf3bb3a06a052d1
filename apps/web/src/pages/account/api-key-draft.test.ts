import { expect, test } from 'vitest'
import { describeGroups, describeScopes, emptyDraft, keyOfDraft } from './api-key-draft.ts'

const now = new Date('2026-01-05T09:00:00.000Z')

test('a new key reads, runs and writes, and never expires', () => {
  const expected = { name: 'Nightly', scopes: ['read', 'run', 'write'], expiresAt: null, allowedNetworks: null, groupIds: null }
  expect(keyOfDraft({ ...emptyDraft, name: 'Nightly' }, now)).toEqual(expected)
})

test('a key can have fewer scopes, an expiry, networks and groups', () => {
  const draft = { name: 'Office', scopes: ['run', 'read'], lifetimeDays: '30', networks: '10.0.0.0/8, 203.0.113.7\n2001:db8::/32 ', groupIds: ['group_1'] } as const
  expect(keyOfDraft(draft, now)).toEqual({
    name: 'Office',
    scopes: ['read', 'run'],
    expiresAt: '2026-02-04T09:00:00.000Z',
    allowedNetworks: ['10.0.0.0/8', '203.0.113.7', '2001:db8::/32'],
    groupIds: ['group_1'],
  })
})

test('scopes are described in words', () => {
  expect(describeScopes(['read', 'write:boards', 'run:question-sets'])).toBe('read, write boards, run question-sets')
})

test('groups are described in words', () => {
  expect(describeGroups(['Finance', 'Sales'])).toBe('sees what Finance and Sales may see')
  expect(describeGroups([])).toBe('sees what everyone may see')
})
