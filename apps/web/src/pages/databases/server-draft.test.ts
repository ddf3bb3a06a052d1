import { expect, test } from 'vitest'
import { ApiError } from '../../api/request.ts'
import { connectionOf, draftOf, emptyDraft, faultsOf, isComplete, isElsewhere, usualOf } from './server-draft.ts'

const postgres = { engine: 'postgres', hasStoredPassword: false } as const
const draft = { ...emptyDraft, host: ' db.example ', database: 'shop', user: 'reader' }

test('what is left empty is left to the service, and text becomes what it stands for', () => {
  const usual = { host: 'db.example', database: 'shop', user: 'reader', tls: 'verified', certificateAuthority: null, otherHosts: [] }
  expect(connectionOf(draft, postgres)).toEqual({ settings: usual, password: null })
  const full = {
    ...draft,
    port: '5433',
    password: ' secret ',
    certificateAuthority: ' PEM ',
    otherHosts: [{ host: 'db2', port: '' }, { host: ' ', port: '1' }],
  }
  expect(connectionOf(full, postgres)).toEqual({
    settings: { ...usual, port: 5433, certificateAuthority: 'PEM', otherHosts: [{ host: 'db2' }] },
    password: ' secret ',
  })
  expect(connectionOf({ ...full, tls: 'encrypted' }, postgres).settings.certificateAuthority).toBeNull()
  expect(connectionOf({ ...draft, port: 'x' }, postgres).settings.port).toBeNaN()
})

test('a stored password is kept unless another is typed, or none is wanted', () => {
  const stored = { engine: 'postgres', hasStoredPassword: true } as const
  expect(connectionOf(draft, stored)).not.toHaveProperty('password')
  expect(connectionOf({ ...draft, password: 'new' }, stored).password).toBe('new')
  expect(connectionOf({ ...draft, isPasswordRemoved: true }, stored).password).toBeNull()
})

test('ClickHouse has usual names, and another port with TLS', () => {
  expect(isComplete({ ...emptyDraft, host: 'ch' }, 'clickhouse')).toBe(true)
  expect(isComplete({ ...emptyDraft, host: 'db' }, 'postgres')).toBe(false)
  expect([usualOf('clickhouse', 'off').port, usualOf('clickhouse', 'verified').port]).toEqual([8123, 8443])
  const given = connectionOf({ ...emptyDraft, host: 'ch' }, { ...postgres, engine: 'clickhouse' })
  expect(given.settings).toMatchObject({ database: 'default', user: 'default' })
})

test('what is stored is shown as it is', () => {
  const { settings } = connectionOf({ ...draft, port: '1', otherHosts: [{ host: 'db2', port: '2' }] }, postgres)
  const stored = { ...settings, port: 1, otherHosts: [{ host: 'db2', port: 2 }] }
  expect(connectionOf(draftOf(stored), postgres).settings).toEqual(stored)
})

test('a fault stands beside its field, whoever found it; any other is told for the whole', () => {
  const refused = (path: string) =>
    new ApiError({ status: 400, code: 'invalid_request', message: 'No.', details: [{ path, message: 'is wrong' }] })
  expect(faultsOf(refused('/settings/port'), undefined)('/settings/port')).toBe('Is wrong')
  expect(faultsOf(null, { ok: false, message: 'refused', path: '/password' })('/password')).toBe('Refused')
  expect(faultsOf(null, { ok: true, durationMs: 1, version: 'x' })('/password')).toBeUndefined()
  expect([refused('/settings/port'), refused('/settings/otherHosts/1/host'), refused('/settings'), new Error('x'), null].map(isElsewhere))
    .toEqual([false, false, true, true, false])
})
