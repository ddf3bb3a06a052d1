import { expect, test } from 'vitest'
import { type Draft, draftKey, dropDraft, readDraft, writeDraft } from './draft.ts'

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

test('a draft comes back, and the tab that wrote it is known', () => {
  const stores = { lasting: store(), ofTab: store() }
  expect(readDraft(stores, key)).toBeUndefined()
  writeDraft(stores, key, draft)
  expect(readDraft(stores, key)).toEqual({ draft, isOfThisTab: true })
  const otherTab = { ...stores, ofTab: store() }
  expect(readDraft(otherTab, key)).toEqual({ draft, isOfThisTab: false })
  // The other tab has written since: this one asks before it takes that over.
  writeDraft(otherTab, key, { ...draft, sql: 'select 2', writtenAt: '2026-01-31T09:31:00.000Z' })
  expect(readDraft(stores, key)).toMatchObject({ isOfThisTab: false, draft: { sql: 'select 2' } })
  dropDraft(stores, key)
  expect(readDraft(otherTab, key)).toBeUndefined()
})

test('people, organizations and pages have drafts of their own', () => {
  const keys = [
    key,
    draftKey({ userId: 'user_2', organizationId: 'org_1' }, 'new'),
    draftKey({ userId: 'user_1', organizationId: 'org_2' }, 'new'),
    draftKey({ userId: 'user_1', organizationId: 'org_1' }, 'reference.abc'),
  ]
  expect(new Set(keys).size).toBe(4)
})

test.each(['', 'no json', 'null', '{"sql":1}', '[]'])('what is no draft is none: %j', (text) => {
  const lasting = store()
  lasting.setItem(key, text)
  expect(readDraft({ lasting, ofTab: store() }, key)).toBeUndefined()
})

test('a store that refuses does not stop anybody', () => {
  const refuse = () => {
    throw new Error('full')
  }
  const stores = { lasting: { getItem: refuse, setItem: refuse, removeItem: refuse }, ofTab: store() }
  writeDraft(stores, key, draft)
  dropDraft(stores, key)
  expect(readDraft(stores, key)).toBeUndefined()
})
