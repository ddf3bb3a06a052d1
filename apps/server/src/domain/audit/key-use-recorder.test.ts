import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Db } from '../../store/db.ts'
import { pollPause } from '../../../testing/poll-pause.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { silentLog } from '../../../testing/silent-log.ts'
import { openTestStore, ruleKindsOf, storeKinds, type TestStore } from '../../../testing/store/test-store.ts'
import { testMembers } from '../../../testing/people/members.ts'
import { type KeyUse, makeKeyUseRecorder } from './key-use-recorder.ts'

const random = seededRandom('key use')

describe.each(storeKinds)('use of API keys in %s', (kind) => {
  let store: TestStore
  beforeAll(async () => void (store = await openTestStore(kind)))
  afterAll(() => store.close())

  async function start(db: Db = store.db) {
    const clock = manualClock()
    const organizationId = await testMembers({ db: store.db, clock, random }).organization()
    const recorder = makeKeyUseRecorder({ db, clock, log: silentLog })
    const use: KeyUse = {
      organizationId,
      keyId: 'key_1',
      keyName: 'Nightly',
      userId: 'user_1',
      route: 'GET /api/me',
      status: 200,
      address: '10.0.0.1',
    }
    const stored = () =>
      store.db
        .selectFrom('key_use')
        .select(['key_id', 'route', 'hour', 'request_count', 'refused_count', 'failed_count', 'last_status', 'last_address'])
        .where('organization_id', '=', organizationId)
        .orderBy('hour')
        .orderBy('route')
        .execute()
    return { clock, recorder, use, stored }
  }

  test('is written in batches, some time after the requests', async () => {
    const { clock, recorder, use, stored } = await start()
    recorder.note(use)
    recorder.note({ ...use, status: 404, address: '10.0.0.2' })
    recorder.note({ ...use, status: 503, route: 'GET /api/queries' })
    expect(await stored()).toEqual([])
    await clock.advance(10_000)
    while ((await stored()).length === 0) await pollPause()
    expect(await stored()).toMatchObject([
      { route: 'GET /api/me', request_count: 2, refused_count: 1, failed_count: 0, last_status: 404, last_address: '10.0.0.2' },
      { route: 'GET /api/queries', request_count: 1, failed_count: 1 },
    ])
  })

  test.each(ruleKindsOf(kind))('is added up by hour, across processes', async () => {
    const { clock, recorder, use, stored } = await start()
    const other = makeKeyUseRecorder({ db: store.db, clock, log: silentLog })
    for (const each of [recorder, other]) each.note(use)
    await Promise.all([recorder.flush(), other.flush()])
    await clock.advance(3600_000)
    recorder.note({ ...use, address: null })
    await recorder.flush()
    expect(await stored()).toMatchObject([
      { hour: new Date('2026-01-05T09:00:00.000Z'), request_count: 2, last_address: '10.0.0.1' },
      { hour: new Date('2026-01-05T10:00:00.000Z'), request_count: 1, last_address: null },
    ])
  })

  test.each(ruleKindsOf(kind))('is kept and written later if the store is unavailable', async () => {
    let isAway = true
    const away = new Proxy(store.db, {
      get: (db, name) => {
        if (isAway) throw new Error('the store is unavailable')
        const found = Reflect.get(db, name) as unknown
        return typeof found === 'function' ? (found as () => unknown).bind(db) : found
      },
    })
    const { recorder, use, stored } = await start(away)
    recorder.note(use)
    await recorder.flush()
    isAway = false
    expect(await stored()).toEqual([])
    recorder.note(use)
    await recorder.flush()
    expect(await stored()).toMatchObject([{ request_count: 2 }])
  })
})
