import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { openTestStore, storeKinds, type TestStore } from '../../../testing/store/test-store.ts'
import { createApiKey, revokeApiKey } from '../people/api-keys.ts'
import { testMembers } from '../../../testing/people/members.ts'
import { recordOnceAnHour } from './record-action.ts'
import { makeKeyUseRecorder } from './key-use-recorder.ts'
import { auditLogSweeps } from './sweep-audit-log.ts'

const dayMs = 24 * 3600_000

test('no other code deletes or changes records', async () => {
  const source = fileURLToPath(new URL('../../', import.meta.url))
  const files = (await readdir(source, { recursive: true })).filter((name) => /\.(ts|sql)$/.test(name) && !/test/.test(name))
  const filesWith = async (text: RegExp) => {
    const found = await Promise.all(files.map(async (name) => text.test(await readFile(path.join(source, name), 'utf8')) && name))
    return found.filter(Boolean)
  }
  expect(await filesWith(/\b(delete\s+from|update|truncate|deleteFrom\(.|updateTable\(.)\s*audit_log\b/)).toEqual([])
  // Sweeps remove rows partition by partition.
  expect(await filesWith(/(?<!function )\b(removeOldRows|dropPartition)\(/)).toEqual([path.join('domain', 'partitions', 'sweep-partitions.ts')])
  expect(await filesWith(/sweepOfPartitions\(.*audit_log/)).toEqual([path.join('domain', 'audit', 'sweep-audit-log.ts')])
})

describe.each(storeKinds)('the audit log in %s', (kind) => {
  let store: TestStore
  beforeAll(async () => void (store = await openTestStore(kind)))
  afterAll(() => store.close())

  test('has one record an hour for frequent actions of an actor, with a count', async () => {
    const clock = manualClock()
    const deps = { db: store.db, clock, random: seededRandom('tallies'), auditLogKeptMs: 30 * dayMs }
    const people = testMembers(deps)
    const admin = await people.member(await people.organization(), { role: 'admin' })
    const record = (fails = false) =>
      store.db.transaction().execute(async (tx) => {
        const subject = { type: 'query', id: null, name: null } as const
        await recordOnceAnHour({ ...deps, tx }, admin, { action: 'query.created', subject })
        if (fails) throw new Error('rolled back')
      })
    const left = async () => ({
      records: (await store.db.selectFrom('audit_log').select('id').where('action', '=', 'query.created').execute()).length,
      counts: (await store.db.selectFrom('audit_tallies').select('action_count').execute()).map((tally) => tally.action_count),
    })
    await expect(record(true)).rejects.toThrow('rolled back')
    expect(await left()).toEqual({ records: 0, counts: [] })
    // Even if many processes record at the same time.
    await Promise.all(Array.from({ length: 6 }, () => record()))
    expect(await left()).toEqual({ records: 1, counts: [6] })
    clock.leap(30 * dayMs + 1)
    for (const sweep of auditLogSweeps(deps)) await sweep.removeBatch()
    expect(await left()).toEqual({ records: 0, counts: [6] })
    clock.leap(3600_000)
    for (const sweep of auditLogSweeps(deps)) await sweep.removeBatch()
    expect(await left()).toEqual({ records: 0, counts: [] })
  })

  test('keeps records and API key use for the configured time', async () => {
    const clock = manualClock()
    const deps = { db: store.db, clock, random: seededRandom('sweep audit log'), auditLogKeptMs: 30 * dayMs }
    const people = testMembers(deps)
    const admin = await people.member(await people.organization(), { role: 'admin' })
    const keyUse = makeKeyUseRecorder({ ...deps, log: silentLog })
    const left = async () => ({
      actions: (await store.db.selectFrom('audit_log').select('action').orderBy('id').execute()).map(({ action }) => action),
      hours: (await store.db.selectFrom('key_use').select('hour').execute()).length,
    })
    const { id } = await createApiKey(deps, admin, { name: 'Nightly' })
    keyUse.note({ ...admin, keyId: id, keyName: 'Nightly', route: 'GET /api/me', status: 200, address: null })
    await keyUse.flush()
    await clock.advance(29 * dayMs)
    await revokeApiKey(deps, admin, id)
    for (const sweep of auditLogSweeps(deps)) await sweep.removeBatch()
    expect(await left()).toEqual({ actions: ['api_key.created', 'api_key.revoked'], hours: 1 })
    await clock.advance(2 * dayMs)
    for (const sweep of auditLogSweeps(deps)) await sweep.removeBatch()
    expect(await left()).toEqual({ actions: ['api_key.revoked'], hours: 0 })
  })
})
