import { expect, test } from 'vitest'
import { ApiError, faultAt } from './request.ts'

test('a fault is said at its field, with a capital letter: there it begins a sentence', () => {
  const details = [
    { path: '/references/0', message: 'names no query reference of your organization' },
    { path: '/schedule/cron', message: 'must have five fields' },
  ]
  const error = new ApiError({ status: 400, code: 'invalid_request', message: 'The request is not valid.', details })
  expect(faultAt(error, '/references')).toBe('Names no query reference of your organization')
  expect(faultAt(error, '/schedule/cron')).toBe('Must have five fields')
  expect(faultAt(error, '/schedule/cr')).toBeUndefined()
  expect(faultAt(error, '/name')).toBeUndefined()
  expect(faultAt(new Error('The service cannot be reached.'), '/name')).toBeUndefined()
})
