import { describe, expect, test } from 'vitest'
import type { AccessRules, Grant } from '../../model/access.ts'
import {
  accessOf,
  type AccessAction,
  type AccessDecision,
  decideAccess,
  groupsOfKey,
  type Resource,
  roleOfKey,
  seesEverything,
} from './decide-access.ts'

const noRules: AccessRules = { databaseGrants: [], folderGrants: [], folders: [], rowRules: [] }
const grant = <Level>(subjectId: string, groupId: string | null, level: Level): Grant<Level> => ({ subjectId, groupId, level })

test('without grants, nothing is hidden or read-only', () => {
  const folders = [{ id: 'sales', parentId: null }]
  const access = accessOf({ ...noRules, folders }, ['group_1'])
  expect(access).toEqual({ hiddenDatabaseIds: [], hiddenFolderIds: [], readOnlyFolderIds: [], managedDatabaseIds: [] })
  expect(seesEverything({ role: 'member', access })).toBe(true)
})

describe('databases', () => {
  const rules: AccessRules = {
    ...noRules,
    databaseGrants: [
      grant('payroll', null, 'none'),
      grant('payroll', 'people', 'query'),
      grant('payroll', 'engineers', 'manage'),
      grant('shop', 'engineers', 'manage'),
      grant('events', 'people', 'none'),
    ],
  }

  test('a member of no group has the level of everyone', () => {
    expect(accessOf(rules, [])).toMatchObject({ hiddenDatabaseIds: ['payroll'], managedDatabaseIds: [] })
  })
  test('the highest level of all groups counts', () => {
    expect(accessOf(rules, ['people'])).toMatchObject({ hiddenDatabaseIds: [], managedDatabaseIds: [] })
    expect(accessOf(rules, ['people', 'engineers'])).toMatchObject({ hiddenDatabaseIds: [], managedDatabaseIds: ['payroll', 'shop'] })
  })
  test('a group cannot take away what everyone may do', () => {
    expect(accessOf(rules, ['people']).hiddenDatabaseIds).not.toContain('events')
  })
})

describe('folders', () => {
  const folders = [
    { id: 'finance', parentId: null },
    { id: 'payroll', parentId: 'finance' },
    { id: 'salaries', parentId: 'payroll' },
    { id: 'handbook', parentId: 'finance' },
  ]
  const levels = (rules: Partial<AccessRules>, groups: string[] = []) => {
    const { hiddenFolderIds, readOnlyFolderIds } = accessOf({ ...noRules, folders, ...rules }, groups)
    return { hiddenFolderIds, readOnlyFolderIds }
  }

  test('a folder has the levels of the one above it, unless it has its own', () => {
    const folderGrants = [grant('finance', null, 'view' as const), grant('payroll', null, 'edit' as const)]
    expect(levels({ folderGrants })).toEqual({ hiddenFolderIds: [], readOnlyFolderIds: ['finance', 'handbook'] })
  })
  test('everything in a hidden folder is hidden', () => {
    const folderGrants = [grant('finance', null, 'none' as const), grant('finance', 'people', 'view' as const), grant('salaries', null, 'edit' as const)]
    expect(levels({ folderGrants })).toEqual({ hiddenFolderIds: ['finance', 'payroll', 'salaries', 'handbook'], readOnlyFolderIds: [] })
    expect(levels({ folderGrants }, ['people'])).toEqual({ hiddenFolderIds: [], readOnlyFolderIds: ['finance', 'payroll', 'handbook'] })
  })
})

const access = { hiddenDatabaseIds: ['hidden'], hiddenFolderIds: ['secret'], readOnlyFolderIds: ['published'], managedDatabaseIds: ['mine'] }
const cases: [Resource, Record<AccessAction, AccessDecision>][] = [
  [{ databaseId: 'open' }, { see: 'allowed', change: 'allowed', manage: 'refused' }],
  [{ databaseId: 'mine' }, { see: 'allowed', change: 'allowed', manage: 'allowed' }],
  [{ databaseId: 'hidden' }, { see: 'hidden', change: 'hidden', manage: 'hidden' }],
  [{ databaseId: 'open', folderId: null }, { see: 'allowed', change: 'allowed', manage: 'refused' }],
  [{ databaseId: 'open', folderId: 'published' }, { see: 'allowed', change: 'refused', manage: 'refused' }],
  [{ databaseId: 'open', folderId: 'secret' }, { see: 'hidden', change: 'hidden', manage: 'hidden' }],
  [{ databaseId: 'hidden', folderId: 'published' }, { see: 'hidden', change: 'hidden', manage: 'hidden' }],
  [{ folderId: 'published' }, { see: 'allowed', change: 'refused', manage: 'refused' }],
]

test.each(cases)('decides about %j', (resource, expected) => {
  for (const [action, decision] of Object.entries(expected) as [AccessAction, AccessDecision][]) {
    expect(decideAccess({ role: 'member', access }, action, resource), action).toBe(decision)
    expect(decideAccess({ role: 'admin', access }, action, resource), action).toBe('allowed')
    expect(decideAccess({ role: 'member' }, action, resource), action).toBe(action === 'manage' ? 'refused' : 'allowed')
  }
})

describe('keys that belong to groups', () => {
  test('a key of an admin has its groups, and others only those that their member is in', () => {
    expect(groupsOfKey(['sales', 'finance'], { role: 'admin', groupIds: [] })).toEqual(['sales', 'finance'])
    expect(groupsOfKey(['sales', 'finance'], { role: 'member', groupIds: ['finance', 'people'] })).toEqual(['finance'])
    expect(groupsOfKey([], { role: 'member', groupIds: ['finance'] })).toEqual([])
    expect(groupsOfKey(['finance'], { role: null, groupIds: [] })).toEqual([])
  })
  test('they are never admins', () => {
    expect(roleOfKey('admin', { id: 'key_1', groupIds: [] })).toEqual({ role: 'member', groupKey: { id: 'key_1', groupIds: [] } })
    expect(roleOfKey('admin', null)).toEqual({ role: 'admin' })
  })
})
