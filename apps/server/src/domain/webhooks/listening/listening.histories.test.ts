import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manualClock } from '../../../../testing/manual-clock.ts'
import { seededRandom } from '../../../../testing/seeded-random.ts'
import { silentLog } from '../../../../testing/silent-log.ts'
import { openTestStore, type TestStore } from '../../../../testing/store/test-store.ts'
import type { Caller } from '../../../model/caller.ts'
import { addMember, createOrganization, createUser } from '../../people/organizations.ts'
import { publishEvent } from '../events/publish-event.ts'
import { type Listening, makeListening, type ListenerMessage } from './listening.ts'
import { makeListeningSecrets } from './listening-secret.ts'
import { makePositionCodec } from './position.ts'

/**
 * Random histories: publishing transactions begin, commit and roll back in any order, while a listener receives some events, loses
 * its connection, and reconnects with any position it ever received. Whatever happens, it receives exactly the committed events,
 * each once.
 */
type Step = { do: 'begin' } | { do: 'commit' | 'roll back' | 'hear' | 'come again'; which: number }

const clock = manualClock()
const random = seededRandom('listening histories')
const secretKey = Buffer.alloc(32, 7)
const run = { automationId: 'a', automationName: 'A', runId: 'r', chatUrl: 'https://querypost.test/chats/c' }
const content = { type: 'automation.run.failed', data: { ...run, reason: 'It failed.' } } as const
/** The store has few connections. */
const openMax = 6

let store: TestStore
let listening: Listening
beforeAll(async () => {
  store = await openTestStore('postgres')
  const eventPositions = makePositionCodec({ secretKey })
  const listeningSecrets = makeListeningSecrets({ secretKey })
  listening = makeListening({ ...store, clock, random, log: silentLog, eventPositions, listeningSecrets })
})
afterAll(() => store.close())

let organizations = 0
const found = (): Promise<Caller & { keyId: string }> =>
  store.db.transaction().execute(async (tx) => {
    organizations += 1
    const { id: organizationId } = await createOrganization({ tx, clock, random }, { name: `org ${organizations}` })
    const person = { email: `ada@${organizations}.test`, name: 'Ada', passwordHash: '' }
    const { id: userId } = await createUser({ tx, clock, random }, person)
    const member = await addMember({ tx, clock }, { organizationId, userId, role: 'member' })
    return { ...member, keyId: `key_${organizations}` }
  })

async function beginPublishing(organizationId: string) {
  const written = Promise.withResolvers<string>()
  const ending = Promise.withResolvers<void>()
  const ended = store.db.transaction().execute(async (tx) => {
    written.resolve((await publishEvent({ tx, clock, random }, { organizationId, content })).eventId)
    await ending.promise
  })
  const id = await written.promise
  return {
    id,
    async commit() {
      ending.resolve()
      await ended
      store.wakeups.wake('deliveries')
    },
    async rollBack() {
      ending.reject(new Error('rolled back'))
      await ended.catch(() => {})
    },
  }
}

async function listen(caller: Caller & { keyId: string }, lastPosition?: string) {
  const stop = new AbortController()
  const stream = (await listening.open(caller, { lastPosition }))(stop.signal)
  const next = async () => (await stream.next()).value as ListenerMessage
  const { position } = await next()
  return {
    position,
    async hear() {
      const heard = await next()
      return { id: heard.kind === 'event' ? heard.event.id : heard.kind, position: heard.position }
    },
    async leave() {
      stop.abort()
      await stream.return()
    },
  }
}

async function live(steps: Step[]) {
  const caller = await found()
  const open: Awaited<ReturnType<typeof beginPublishing>>[] = []
  const committed: string[] = []
  let listener = await listen(caller)
  /** What it has received up to each position. */
  let chain = [{ position: listener.position, heard: [] as string[] }]
  const pick = <Item>(items: Item[], which: number) => items.splice(which % items.length, 1)[0]
  async function hear() {
    const { id, position } = await listener.hear()
    chain.push({ position, heard: [...chain.at(-1)!.heard, id] })
  }

  for (const step of steps) {
    if (step.do === 'begin' && open.length < openMax) open.push(await beginPublishing(caller.organizationId))
    if (step.do === 'commit' && open.length > 0) {
      const publisher = pick(open, step.which)!
      await publisher.commit()
      committed.push(publisher.id)
    }
    if (step.do === 'roll back' && open.length > 0) await pick(open, step.which)!.rollBack()
    if (step.do === 'hear' && chain.at(-1)!.heard.length < committed.length) await hear()
    if (step.do === 'come again') {
      await listener.leave()
      chain = chain.slice(0, (step.which % chain.length) + 1)
      listener = await listen(caller, chain.at(-1)!.position)
    }
  }
  for (const publisher of open.splice(0)) {
    await publisher.commit()
    committed.push(publisher.id)
  }
  while (chain.at(-1)!.heard.length < committed.length) await hear()
  await listener.leave()
  expect(chain.at(-1)!.heard.toSorted()).toEqual(committed.toSorted())
}

const which = fc.nat({ max: 1000 })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ do: 'begin' as const }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('commit' as const), which }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('roll back' as const), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hear' as const), which }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('come again' as const), which }) },
)

/** `LISTENING_RUNS=500 npm test -- listening.histories` searches longer. */
const numRuns = Number(process.env['LISTENING_RUNS'] ?? 10)

test('a listener receives each event once, whatever commits when and wherever it reconnects', async () => {
  const histories = fc.array(step, { minLength: 15, maxLength: 40 })
  await fc.assert(fc.asyncProperty(histories, live), { seed: 7, numRuns, endOnFailure: true })
})
