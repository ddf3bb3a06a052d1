import { expect, test } from 'vitest'
import { keptFor } from './kept-for.ts'

test('names times in days, and short ones in hours', () => {
  expect(keptFor).toMatchObject({
    notifications: '90 days',
    archive_jobs: '8 days',
    idempotent_answers: '24 hours',
    boards: '30 days in the trash',
    report_downloads: '7 days',
    runs: 'RUN_DAYS',
  })
})
