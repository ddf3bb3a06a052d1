import { expect, test } from 'vitest'
import { shouldRetry } from './query-client.ts'
import { ApiError } from './request.ts'

const refused = (status: number) => new ApiError({ status, code: 'internal_error', message: 'Some message.' })

test.each([400, 401, 403, 404, 409, 422])('does not retry after a %i response', (status) => {
  expect(shouldRetry(0, refused(status))).toBe(false)
})

test.each([0, 500, 503])('retries twice after a failure with status %i', (status) => {
  expect([0, 1, 2].map((count) => shouldRetry(count, refused(status)))).toEqual([true, true, false])
})
