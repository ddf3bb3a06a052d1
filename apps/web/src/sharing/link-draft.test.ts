import { expect, test } from 'vitest'
import type { PublicLink } from '../api/public-links.ts'
import type { ParameterDefinition } from '../api/references.ts'
import { describeLink, draftOf, newDraft, requestOf, suggestedValues } from './link-draft.ts'

const parameter = (name: string, type: ParameterDefinition['type'], options?: ParameterDefinition['options']): ParameterDefinition => ({
  name,
  displayName: name,
  type,
  defaultValue: '',
  description: '',
  ...(options && { options }),
})
const nowMs = Date.parse('2026-01-05T09:00:00.000Z')

test('a new link lets viewers only look', () => {
  expect(requestOf(newDraft, [parameter('country', 'text')], nowMs)).toEqual({
    expiresAt: null,
    password: null,
    downloads: [],
    allowsRefresh: false,
    showsSql: false,
    parameters: [],
  })
})

test('reads allowed values line by line and counts days from now', () => {
  const draft = { ...newDraft, expiry: '7', hasPassword: true, password: 'a long password', values: { country: 'DE\n\nFR\n' } }
  expect(requestOf(draft, [parameter('year', 'number'), parameter('country', 'text')], nowMs)).toMatchObject({
    expiresAt: '2026-01-12T09:00:00.000Z',
    password: 'a long password',
    parameters: [{ name: 'country', values: ['DE', 'FR'] }],
  })
})

test('an unchanged draft of an existing link keeps its expiry and password', () => {
  const link = {
    expiresAt: '2026-02-01T00:00:00.000Z',
    hasPassword: true,
    downloads: ['csv'],
    allowsRefresh: true,
    showsSql: false,
    parameters: [{ name: 'year', values: [2025, 2026] }],
  } as unknown as PublicLink
  expect(requestOf(draftOf(link), [parameter('year', 'number')], nowMs)).toEqual({
    downloads: ['csv'],
    allowsRefresh: true,
    showsSql: false,
    parameters: [{ name: 'year', values: ['2025', '2026'] }],
  })
  expect(describeLink({ ...link, downloads: ['csv', 'xlsx', 'png'] })).toContain('Download as CSV, Excel, or PNG')
  expect(describeLink(link)).toBe('Download as CSV · Refresh · Change 1 parameter')
})

test('suggests the options of a parameter', () => {
  expect(suggestedValues(parameter('country', 'text', { values: [{ value: 'DE', label: 'Germany' }, { value: 'FR' }] }))).toBe('DE\nFR')
  expect(suggestedValues(parameter('isPaid', 'boolean'))).toBe('true\nfalse')
  expect(suggestedValues(parameter('year', 'number'))).toBe('')
})
