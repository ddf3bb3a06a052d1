import { expect, test } from 'vitest'
import { contentVersion, requireVersion } from './content-version.ts'

test('depends on the content, and not on the order of its fields', () => {
  const version = contentVersion({ name: 'a', schedule: { cron: '* * * * *', timeZone: 'UTC' } })
  expect(contentVersion({ schedule: { timeZone: 'UTC', cron: '* * * * *' }, name: 'a' })).toBe(version)
  expect(contentVersion({ name: 'b', schedule: { cron: '* * * * *', timeZone: 'UTC' } })).not.toBe(version)
  expect(contentVersion({ references: ['a', 'b'] })).not.toBe(contentVersion({ references: ['b', 'a'] }))
})

test('rejects a stale version and names the current one', () => {
  expect(() => requireVersion('folder', { current: 'new', basedOn: { version: 'old' } })).toThrow(
    expect.objectContaining({ code: 'version_conflict', currentVersion: 'new' }),
  )
  requireVersion('folder', { current: 'new', basedOn: { version: 'new' } })
  requireVersion('folder', { current: 'new', basedOn: {} })
})
