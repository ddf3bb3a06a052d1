import { expect, test } from 'vitest'
import { actionWords, actorWords, fieldWords, subjectAddress, subjectWords, valueWords } from './words.ts'

test('names of programs become words of people', () => {
  expect(actionWords('webhook_endpoint.created')).toBe('Webhook endpoint created')
  expect(actionWords('api_key.revoked')).toBe('API key revoked')
  expect(actionWords('session.started')).toBe('Signed in')
  expect(fieldWords('eventTypes')).toBe('Event types')
  expect(fieldWords('baseUrl')).toBe('Base URL')
})

const user = { id: 'user_1', name: 'Ada', email: 'ada@acme.test' }

test.each([
  [{ kind: 'user', id: 'user_1', name: null, user }, 'Ada', null],
  [{ kind: 'key', id: 'key_1', name: 'Nightly', user }, 'Ada', 'with the API key Nightly'],
  [{ kind: 'agent', id: 'arun_1', name: 'Weekly', user }, 'Ada', 'by the automation Weekly'],
  [{ kind: 'agent', id: 'arun_1', name: null, user }, 'Ada', 'by an agent in a chat'],
  [{ kind: 'service', id: null, name: null, user: null }, 'Querypost', null],
  [{ kind: 'service', id: null, name: null, user }, 'Querypost', 'for Ada'],
  [{ kind: 'operator', id: null, name: null, user: null }, 'The operator', null],
  [{ kind: 'anonymous', id: null, name: null, user: null }, 'Somebody not signed in', null],
] as const)('who it was: %j', (actor, who, means) => {
  expect(actorWords(actor)).toEqual({ who, means })
})

test('what was acted upon is linked where it has a page', () => {
  expect(subjectAddress({ type: 'reference', id: 'abcdefghjk', name: 'One' })).toBe('/q/abcdefghjk')
  expect(subjectAddress({ type: 'session', id: 'session_1', name: null })).toBeUndefined()
  expect(subjectAddress({ type: 'webhook_endpoint', id: null, name: null })).toBeUndefined()
})

test('the line below says to what, and which parts of it', () => {
  const change = { before: null, after: 'x' }
  const organization = { type: 'organization', id: 'org_1', name: 'Acme' } as const
  expect(subjectWords({ subject: organization, details: { changes: { name: change, webhooksEnabled: change } } })).toBe(
    'Acme · name, webhooks enabled',
  )
  const session = { type: 'session', id: 'session_1', name: null } as const
  expect(subjectWords({ subject: session, details: { method: 'password' } })).toBe('with the password')
  expect(subjectWords({ subject: session, details: {} })).toBe('')
  expect(subjectWords({ subject: { type: 'query', id: 'q1', name: null }, details: {} })).toBe('q1')
})

test('values are read, not decoded', () => {
  expect([null, undefined, true, false, 12_000, '', 'x', [], ['a', 'b']].map((value) => valueWords(value))).toEqual([
    'none',
    'none',
    'yes',
    'no',
    '12,000',
    'empty',
    'x',
    'none',
    'a, b',
  ])
  expect(valueWords({ cron: '0 9 * * *' })).toBe('{\n  "cron": "0 9 * * *"\n}')
})
