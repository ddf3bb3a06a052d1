import { expect, test } from 'vitest'
import { mayHelpToAskAgain } from './query-client.ts'
import { ApiError } from './request.ts'

const refused = (status: number) => new ApiError({ status, code: 'internal_error', message: 'Some message.' })

test.each([400, 401, 403, 404, 409, 422])('what was judged with %i is not asked again', (status) => {
  expect(mayHelpToAskAgain(0, refused(status))).toBe(false)
})

test.each([0, 500, 503])('what failed with %i is asked twice more', (status) => {
  expect([0, 1, 2].map((count) => mayHelpToAskAgain(count, refused(status)))).toEqual([true, true, false])
})
