import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newId, newShortId, newUuid } from '../../domain/ids.ts'
import type { Observation } from '../../model/observation.ts'
import { addMember, createOrganization, createUser } from '../../domain/people/organizations.ts'
import { manualClock } from '../../../testing/manual-clock.ts'
import { seededRandom } from '../../../testing/seeded-random.ts'
import { openTestStore, storeKinds } from '../../../testing/store/test-store.ts'
import { insertAgentRun } from '../agent-runs/insert-agent-run.ts'
import { insertChat } from '../chats/insert-chat.ts'
import type { Store } from '../db.ts'
import { insertReference } from '../references/references-table.ts'
import { readObservations, replaceObservations } from './observations-table.ts'

const seen = (runId: string): Observation => ({
  version: 1,
  runId,
  sqlHash: 'hash',
  rowCount: 1,
  totals: [['n', '170141183460469231731687303715884105727']],
  rows: { kind: 'keys', keyColumns: ['k'], valueColumns: ['n'], rows: [{ key: [null], values: ['0.10'] }], incompleteFrom: null },
})

describe.each(storeKinds)('observations on %s', (kind) => {
  let store: Store
  const clock = manualClock()
  const random = seededRandom(`observations ${kind}`)
  const now = clock.now()
  const automationId = newId(random, 'automation')
  const agentRunId = newId(random, 'arun')
  const references: string[] = []

  beforeAll(async () => {
    store = await openTestStore(kind)
    await store.db.transaction().execute(async (tx) => {
      const deps = { tx, clock, random }
      const { id: organizationId } = await createOrganization(deps, { name: 'Shop' })
      const { id: userId } = await createUser(deps, { email: 'ada@shop.test', name: 'Ada', passwordHash: 'none' })
      await addMember(deps, { organizationId, userId, role: 'admin' })
      const whose = { organizationId, createdBy: userId, now }
      for (const title of ['one', 'two']) {
        const reference = { id: newId(random, 'ref'), shortId: newShortId(random), title, description: null, isOptimistic: true }
        await insertReference(tx, { ...reference, ...whose, queryId: newUuid(deps), visualization: null, parameters: [] })
        references.push(reference.id)
      }
      const times = { created_by: userId, created_at: now, updated_at: now }
      await tx
        .insertInto('automations')
        .values({ id: automationId, organization_id: organizationId, name: 'A', instructions: '', agent: 'digest', enabled: false, ...times })
        .execute()
      const chat = { id: newId(random, 'chat'), shortId: newShortId(random), organizationId, title: 'A', createdBy: userId, now }
      await insertChat(tx, chat)
      const by = { trigger: 'person' as const, triggerId: userId, userId, instructions: '', requestedAt: now, dueAt: null, missedCount: 0 }
      await insertAgentRun(tx, { id: agentRunId, organizationId, automationId, chatId: chat.id, agent: 'digest', ...by })
    })
  })
  afterAll(() => store.close())

  const replace = (...observations: { referenceId: string; content: Observation }[]) =>
    store.db.transaction().execute((tx) => replaceObservations(tx, { automationId, agentRunId, observations }))

  test('are empty at first and read back as written', async () => {
    expect(await readObservations(store.db, automationId)).toEqual(new Map())
    await replace({ referenceId: references[0]!, content: seen('run_1') }, { referenceId: references[1]!, content: seen('run_2') })
    expect(await readObservations(store.db, automationId)).toEqual(
      new Map([[references[0], seen('run_1')], [references[1], seen('run_2')]]),
    )
  })

  test('are replaced per reference; others are kept', async () => {
    await replace({ referenceId: references[0]!, content: seen('run_3') })
    await replace()
    const found = await readObservations(store.db, automationId)
    expect([...found.values()].map(({ runId }) => runId).toSorted()).toEqual(['run_2', 'run_3'])
  })

  test('can hold any value a database returns', async () => {
    const content = { ...seen('run_4'), totals: [['a\0b\ud800', '1']] as [string, string][] }
    await replace({ referenceId: references[0]!, content })
    expect((await readObservations(store.db, automationId)).get(references[0]!)!.totals).toEqual([['a\ufffdb\ufffd', '1']])
  })
})
