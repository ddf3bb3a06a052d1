import { expect, test } from 'vitest'
import { draftOf, readDraft } from './cost-limits-draft.ts'

const none = { perQueryBytes: null, perPersonDailyBytes: null, perOrganizationDailyBytes: null }
const blank = { perQueryBytes: '', perPersonDailyBytes: '', perOrganizationDailyBytes: '' }

test.each([
  [none, blank],
  [{ ...none, perQueryBytes: 1_500_000_000 }, { ...blank, perQueryBytes: '1.5' }],
  [{ ...none, perPersonDailyBytes: 0 }, { ...blank, perPersonDailyBytes: '0' }],
  [{ ...none, perOrganizationDailyBytes: 100_000_000 }, { ...blank, perOrganizationDailyBytes: '0.1' }],
])('%j is edited as %j', (limits, draft) => {
  expect(draftOf(limits)).toEqual(draft)
  expect(readDraft(draft)).toEqual({ limits, faults: {} })
})

test.each(['-1', 'ten', '1e9', '1,5', 'Infinity'])('rejects %s', (text) => {
  expect(Object.keys(readDraft({ ...blank, perQueryBytes: text }).faults)).toEqual(['perQueryBytes'])
})

test('ignores surrounding spaces', () => {
  expect(readDraft({ ...blank, perQueryBytes: ' 2 ', perPersonDailyBytes: '  ' }).limits).toEqual({ ...none, perQueryBytes: 2e9 })
})
