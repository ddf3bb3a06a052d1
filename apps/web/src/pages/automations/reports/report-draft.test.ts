import { expect, test } from 'vitest'
import type { Report } from '../../../api/reports.ts'
import { addressIn, newReportDraft, toReport, toReportDraft } from './report-draft.ts'

const stored: Report = {
  id: 'rep_1',
  automationId: 'automation_1',
  content: { kind: 'board', boardShortId: 'abcdefghij' },
  target: { kind: 'email', recipients: [{ kind: 'everyone' }, { kind: 'address', email: 'jane@example.com' }] },
  when: 'notable',
  minimumSeverity: null,
  values: { kind: 'list', entries: [{ recipient: { kind: 'address', email: 'jane@example.com' }, values: { country: ['DE', 'FR'] } }] },
  attachments: ['png', 'pdf', 'csv'],
  isEnabled: true,
  addresses: [],
  unsubscribed: [],
  createdBy: 'user_1',
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
}

test('a report that is edited without a change stays the same', () => {
  const { content, target, when, minimumSeverity, values, attachments } = stored
  expect(toReport(toReportDraft(stored))).toEqual({ content, target, when, minimumSeverity, values, attachments })
})

test('values of a query stay the same, without columns left blank', () => {
  const values = { kind: 'query' as const, referenceShortId: 'klmnopqrst', emailColumn: 'email', columns: { country: 'country' } }
  const draft = toReportDraft({ ...stored, values })
  expect(toReport(draft).values).toEqual(values)
  expect(toReport({ ...draft, valuesQuery: { ...draft.valuesQuery, columns: { country: 'country', city: ' ' } } }).values).toEqual(values)
})

test('a recipient who is only in the list of values can be seen and removed', () => {
  const draft = toReportDraft({ ...stored, target: { kind: 'email', recipients: [] } })
  expect(draft.recipients).toEqual([{ kind: 'address', email: 'jane@example.com' }])
  expect(toReport({ ...draft, recipients: [] }).values).toBeNull()
})

test('leaves out what the chosen content and channel cannot have', () => {
  const summary = toReport({ ...toReportDraft(stored), content: 'summary' })
  expect(summary).toMatchObject({ content: { kind: 'summary' }, values: null, attachments: ['csv'] })
  const posted = toReport({ ...toReportDraft(stored), target: 'chn_1', conversation: 'C1' })
  expect(posted).toMatchObject({ target: { kind: 'channel', channelId: 'chn_1', conversation: 'C1' }, values: null })
  expect(toReport({ ...newReportDraft, target: 'chn_1' }).target).toEqual({ kind: 'channel', channelId: 'chn_1' })
})

test.each([
  ['Jane@Example.com', 'jane@example.com'],
  [' jane@example.com, ', 'jane@example.com'],
  ['jane', undefined],
  ['jane@', undefined],
  ['jane@example', undefined],
  ['jane doe@example.com', undefined],
])('%j is the address %s', (text, email) => {
  expect(addressIn(text)?.email).toBe(email)
})
