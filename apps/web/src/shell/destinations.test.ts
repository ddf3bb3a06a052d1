import { expect, test } from 'vitest'
import { destinationOf, matching } from './destinations.ts'

const titles = (text: string, role: 'admin' | 'member' = 'admin') => matching(text, role).map(({ title }) => title)

test('finds a page by the beginnings of words, in any order', () => {
  expect(titles('auto')).toEqual(['Automations', 'New automation'])
  expect(titles('  AUTO new ')).toEqual(['New automation'])
  expect(titles('keys')).toEqual(['Account and API keys'])
  expect(titles('ebhook')).toEqual([])
})

test('lists all pages without a search, and admin pages only for admins', () => {
  expect(titles('')).toContain('Webhooks')
  expect(titles('', 'member')).not.toContain('Webhooks')
  expect(titles('webhooks')).toEqual(['Webhooks', 'Receiving webhooks'])
  expect(titles('webhook', 'member')).toEqual(['Receiving webhooks'])
})

test.each([
  ['board', 'abc', null, '/b/abc'],
  ['query', 'abc', null, '/q/abc'],
  ['automation', 'auto_1', null, '/automations/auto_1'],
  ['chat', 'abc', null, '/chats/abc'],
  ['table', 'db_1', 'main.orders', '/databases/db_1?table=orders'],
  ['table', 'db_2', 'sales.orders', '/databases/db_2?table=sales.orders'],
  ['column', 'db_1', 'main.orders', '/databases/db_1?table=orders#orders.amount'],
] as const)('leads to a %s that was found', (kind, id, table, href) => {
  const item = { kind, id, table, title: 'orders.amount', description: null, isVerified: false }
  expect(destinationOf(item).href).toBe(href)
})

test('says that a query is verified', () => {
  const item = { kind: 'query', id: 'abc', table: null, title: 'Revenue', description: null } as const
  expect(destinationOf({ ...item, isVerified: true }).kind).toBe('Verified query')
  expect(destinationOf({ ...item, isVerified: false }).kind).toBe('Query')
})
