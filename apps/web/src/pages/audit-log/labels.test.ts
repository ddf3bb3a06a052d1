import { expect, test } from 'vitest'
import { actionLabel, describeActor, fieldLabel, subjectPath, describeSubject, formatValue } from './labels.ts'

test('turns action and field names into labels', () => {
  expect(actionLabel('webhook_endpoint.created')).toBe('Webhook endpoint created')
  expect(actionLabel('api_key.revoked')).toBe('API key revoked')
  expect(actionLabel('session.started')).toBe('Signed in')
  expect(fieldLabel('eventTypes')).toBe('Event types')
  expect(fieldLabel('baseUrl')).toBe('Base URL')
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
  [{ kind: 'anonymous', id: null, name: null, user: null }, 'Someone not signed in', null],
] as const)('describes the actor %j', (actor, who, means) => {
  expect(describeActor(actor)).toEqual({ who, means })
})

test('links the object of an action if it has a page', () => {
  expect(subjectPath({ type: 'reference', id: 'abcdefghjk', name: 'One' })).toBe('/q/abcdefghjk')
  expect(subjectPath({ type: 'session', id: 'session_1', name: null })).toBeUndefined()
  expect(subjectPath({ type: 'webhook_endpoint', id: null, name: null })).toBeUndefined()
})

test('describes the object of an action and its changed fields', () => {
  const change = { before: null, after: 'x' }
  const organization = { type: 'organization', id: 'org_1', name: 'Acme' } as const
  expect(describeSubject({ subject: organization, details: { changes: { name: change, webhooksEnabled: change } } })).toBe(
    'Acme · name, webhooks enabled',
  )
  const session = { type: 'session', id: 'session_1', name: null } as const
  expect(describeSubject({ subject: session, details: { method: 'password' } })).toBe('with a password')
  expect(describeSubject({ subject: session, details: {} })).toBe('')
  expect(describeSubject({ subject: { type: 'query', id: 'q1', name: null }, details: {} })).toBe('q1')
})

test('formats values for reading', () => {
  expect([null, undefined, true, false, 12_000, '', 'x', [], ['a', 'b']].map((value) => formatValue(value))).toEqual([
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
  expect(formatValue({ cron: '0 9 * * *' })).toBe('{\n  "cron": "0 9 * * *"\n}')
})
