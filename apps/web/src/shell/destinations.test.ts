import { expect, test } from 'vitest'
import { matching } from './destinations.ts'

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
