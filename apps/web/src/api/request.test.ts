import { afterEach, expect, test, vi } from 'vitest'
import { ApiError, faultAt, request } from './request.ts'

afterEach(() => void vi.unstubAllGlobals())

/** Answers every request with the given response, and records what was sent. */
function answerWith(status: number, body?: unknown) {
  const sent: { url: string; method: string | undefined; body: unknown }[] = []
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
    sent.push({ url, method: init.method, body: init.body })
    return body === undefined ? new Response(null, { status }) : Response.json(body, { status })
  })
  return sent
}

test('sends an operation with its method, path and JSON body', async () => {
  const sent = answerWith(200, { id: 'user_1', role: 'member' })
  const { role } = await request('PATCH /members/{userId}', { params: { userId: 'user_1' }, body: { role: 'member' } })
  expect(role).toBe('member')
  expect(sent).toEqual([{ url: '/app/api/members/user_1', method: 'PATCH', body: '{"role":"member"}' }])
})

test('returns null for a response without content', async () => {
  answerWith(204)
  expect(await request('DELETE /session')).toBeNull()
})

test('checks routes, input and answers at compile time', async () => {
  answerWith(200, {})
  // @ts-expect-error There is no such route.
  await request('GET /nothing')
  // @ts-expect-error The path parameter is missing.
  await request('GET /automations/{id}')
  // @ts-expect-error There is no such role.
  await request('PATCH /members/{userId}', { params: { userId: 'user_1' }, body: { role: 'owner' } })
  // @ts-expect-error An account has no password field.
  expect((await request('GET /account')).password).toBeUndefined()
})

test('throws an error with the code of a rejected request', async () => {
  answerWith(409, { type: 'invalid_request', code: 'last_admin', message: 'The only admin.', documentation_url: '' })
  const refusal = request('DELETE /members/{userId}', { params: { userId: 'user_1' } })
  await expect(refusal).rejects.toMatchObject({ name: 'ApiError', status: 409, code: 'last_admin', message: 'The only admin.' })
})

test('capitalizes the error of a field', () => {
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
