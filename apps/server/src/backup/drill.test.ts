import { expect, test } from 'vitest'
import { compareRows } from './drill.ts'

const runs = { rowCount: 5, hash: '17' }

test('the same rows are no fault', () => {
  expect(compareRows({ runs }, { runs })).toEqual([])
})

test('names missing rows, changed rows, and missing and extra tables', () => {
  expect(compareRows({ runs }, { runs: { rowCount: 4, hash: '12' } })).toEqual(['The table runs has 4 rows instead of 5.'])
  expect(compareRows({ runs }, { runs: { rowCount: 5, hash: '18' } })).toEqual(['The table runs has other rows than were backed up.'])
  expect(compareRows({ runs }, { users: runs })).toEqual(['The table runs is missing.', 'The table users was not in the backup.'])
})
