import { expect, test } from 'vitest'
import { matching } from './destinations.ts'

const titles = (text: string, role: 'admin' | 'member' = 'admin') => matching(text, role).map(({ title }) => title)

test('the beginnings of words find a page, in any order', () => {
  expect(titles('auto')).toEqual(['Automations', 'New automation'])
  expect(titles('  AUTO new ')).toEqual(['New automation'])
  expect(titles('keys')).toEqual(['Account and API keys'])
  expect(titles('ebhook')).toEqual([])
})

test('without words all pages are there; those for admins only for them', () => {
  expect(titles('')).toContain('Webhooks')
  expect(titles('', 'member')).not.toContain('Webhooks')
  expect(titles('webhooks')).toEqual(['Webhooks', 'Receiving webhooks'])
  expect(titles('webhook', 'member')).toEqual(['Receiving webhooks'])
})
