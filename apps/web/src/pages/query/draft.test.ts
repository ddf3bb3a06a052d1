import { expect, test } from 'vitest'
import { type Draft, draftKey, deleteDraft, readDraft, writeDraft } from './draft.ts'

function store() {
  const items = new Map<string, string>()
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  }
}
const key = draftKey({ userId: 'user_1', organizationId: 'org_1' }, 'new')
const draft: Draft = {
  sql: 'select {{n}}',
  databaseId: 'db_1',
  parameters: [{ name: 'n', displayName: 'N', type: 'number', defaultValue: '', description: '' }],
  values: { n: '5' },
  queryId: null,
  writtenAt: '2026-01-31T09:30:00.000Z',
}

test('reads back a draft and tells whether this tab wrote it', () => {
  const stores = { persistent: store(), perTab: store() }
  expect(readDraft(stores, key)).toBeUndefined()
  writeDraft(stores, key, draft)
  expect(readDraft(stores, key)).toEqual({ draft, isFromThisTab: true })
  const otherTab = { ...stores, perTab: store() }
  expect(readDraft(otherTab, key)).toEqual({ draft, isFromThisTab: false })
  // The other tab has written since, so this tab must ask before restoring.
  writeDraft(otherTab, key, { ...draft, sql: 'select 2', writtenAt: '2026-01-31T09:31:00.000Z' })
  expect(readDraft(stores, key)).toMatchObject({ isFromThisTab: false, draft: { sql: 'select 2' } })
  deleteDraft(stores, key)
  expect(readDraft(otherTab, key)).toBeUndefined()
})

test('keeps drafts apart by user, organization and page', () => {
  const keys = [
    key,
    draftKey({ userId: 'user_2', organizationId: 'org_1' }, 'new'),
    draftKey({ userId: 'user_1', organizationId: 'org_2' }, 'new'),
    draftKey({ userId: 'user_1', organizationId: 'org_1' }, 'reference.abc'),
  ]
  expect(new Set(keys).size).toBe(4)
})

test.each(['', 'no json', 'null', '{"sql":1}', '[]'])('ignores malformed drafts: %j', (text) => {
  const persistent = store()
  persistent.setItem(key, text)
  expect(readDraft({ persistent, perTab: store() }, key)).toBeUndefined()
})

test('ignores errors of the browser storage', () => {
  const fail = () => {
    throw new Error('full')
  }
  const stores = { persistent: { getItem: fail, setItem: fail, removeItem: fail }, perTab: store() }
  writeDraft(stores, key, draft)
  deleteDraft(stores, key)
  expect(readDraft(stores, key)).toBeUndefined()
})
