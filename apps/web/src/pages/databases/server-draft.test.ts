import { expect, test } from 'vitest'
import { ApiError } from '../../api/request.ts'
import { toConnection, toServerDraft, emptyDraft, fieldFaults, isComplete, isNotShownAtField, defaultsOf } from './server-draft.ts'

const postgres = { engine: 'postgres', hasStoredPassword: false } as const
const draft = { ...emptyDraft, host: ' db.example ', database: 'shop', user: 'reader' }

test('omits empty fields and parses text', () => {
  const defaults = { host: 'db.example', database: 'shop', user: 'reader', tls: 'verified', certificateAuthority: null, otherHosts: [] }
  expect(toConnection(draft, postgres)).toEqual({ settings: defaults, password: null })
  const full = {
    ...draft,
    port: '5433',
    password: ' secret ',
    certificateAuthority: ' PEM ',
    otherHosts: [{ host: 'db2', port: '' }, { host: ' ', port: '1' }],
  }
  expect(toConnection(full, postgres)).toEqual({
    settings: { ...defaults, port: 5433, certificateAuthority: 'PEM', otherHosts: [{ host: 'db2' }] },
    password: ' secret ',
  })
  expect(toConnection({ ...full, tls: 'encrypted' }, postgres).settings.certificateAuthority).toBeNull()
  expect(toConnection({ ...draft, port: 'x' }, postgres).settings.port).toBeNaN()
})

test('keeps the stored password unless it is replaced or removed', () => {
  const stored = { engine: 'postgres', hasStoredPassword: true } as const
  expect(toConnection(draft, stored)).not.toHaveProperty('password')
  expect(toConnection({ ...draft, password: 'new' }, stored).password).toBe('new')
  expect(toConnection({ ...draft, isPasswordRemoved: true }, stored).password).toBeNull()
})

test('uses the default names of ClickHouse, and its TLS port', () => {
  expect(isComplete({ ...emptyDraft, host: 'ch' }, 'clickhouse')).toBe(true)
  expect(isComplete({ ...emptyDraft, host: 'db' }, 'postgres')).toBe(false)
  expect([defaultsOf('clickhouse', 'off').port, defaultsOf('clickhouse', 'verified').port]).toEqual([8123, 8443])
  const given = toConnection({ ...emptyDraft, host: 'ch' }, { ...postgres, engine: 'clickhouse' })
  expect(given.settings).toMatchObject({ database: 'default', user: 'default' })
})

test('sends the options of the chosen engine only', () => {
  const withSchema = { ...draft, options: { schema: ' sales ', other: 'x' } }
  expect(toConnection(withSchema, { ...postgres, engine: 'trino' }).settings.options).toEqual({ schema: 'sales' })
  expect(toConnection(withSchema, postgres).settings).not.toHaveProperty('options')
})

test('is unchanged after a round trip through the form', () => {
  const { settings } = toConnection({ ...draft, port: '1', otherHosts: [{ host: 'db2', port: '2' }] }, postgres)
  const stored = { ...settings, port: 1, otherHosts: [{ host: 'db2', port: 2 }] }
  expect(toConnection(toServerDraft(stored), postgres).settings).toEqual(stored)
})

test('shows an error at its field, and all others for the whole form', () => {
  const refused = (path: string) =>
    new ApiError({ status: 400, code: 'invalid_request', message: 'No.', details: [{ path, message: 'is wrong' }] })
  expect(fieldFaults(refused('/settings/port'), undefined)('/settings/port')).toBe('Is wrong')
  expect(fieldFaults(null, { ok: false, message: 'refused', path: '/password' })('/password')).toBe('Refused')
  expect(fieldFaults(null, { ok: true, durationMs: 1, version: 'x' })('/password')).toBeUndefined()
  expect([refused('/settings/port'), refused('/settings/otherHosts/1/host'), refused('/settings'), new Error('x'), null].map(isNotShownAtField))
    .toEqual([false, false, true, true, false])
})
