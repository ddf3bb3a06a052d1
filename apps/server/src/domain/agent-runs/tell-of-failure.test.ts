import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestStore, storeKinds } from '../../../testing/store/test-store.ts'
import { type AgentOffice, openAgentOffice } from '../../../testing/work/agent-office.ts'
import { createApiKey } from '../people/api-keys.ts'
import type { Caller } from '../../model/caller.ts'
import { endAgentRun, type Ending } from './end-agent-run.ts'

describe.each(storeKinds)('who is told that a run failed, on %s', (kind) => {
  let office: AgentOffice
  let bob: Caller
  let automation: Awaited<ReturnType<AgentOffice['addAutomation']>>

  beforeEach(async () => {
    office = await openAgentOffice((clock) => openTestStore(kind, { clock }), `told ${kind}`)
    bob = await office.addPerson(office.organizationId, 'Bob', 'member')
    automation = await office.addAutomation()
  })
  afterEach(() => office.close())

  const failed: Ending = { status: 'failed', reason: 'The query failed.' }
  const completed: Ending = { status: 'completed', answer: { summary: 'Well.' } }
  const stoppedBy = (person: Caller): Ending => ({ status: 'failed', reason: 'Stopped.', stoppedBy: person.userId })

  /** How many were told of a run that ended so. */
  async function runEnds(ending: Ending, by?: Parameters<AgentOffice['request']>[1]): Promise<string[]> {
    const before = await office.notifications()
    const runId = await office.request(automation, by)
    expect(await endAgentRun(office, { runId, while: { status: 'pending' }, ending })).toBe(true)
    return (await office.notifications()).slice(before.length).map(({ user_id }) => user_id)
  }

  test('who made the automation, with the reason and where to look', async () => {
    await runEnds(failed, { trigger: 'schedule', triggerId: automation.id })
    const { shortId } = await office.db.selectFrom('chats').select('short_id as shortId').executeTakeFirstOrThrow()
    expect(await office.notifications()).toEqual([
      {
        user_id: office.ada.userId,
        kind: 'run_failed',
        message:
          'The automation “Weekly revenue” did not finish. The query failed. You are told again when it fails after a success.',
        link: `/chats/${shortId}`,
      },
    ])
  })

  test('and who asked for it, in person or with a key', async () => {
    const both = [office.ada.userId, bob.userId].toSorted()
    expect(await runEnds(failed, { trigger: 'person', triggerId: bob.userId })).toEqual(both)
    await runEnds(completed)
    const { id } = await createApiKey(office, bob, { name: 'script' })
    expect(await runEnds(failed, { trigger: 'api', triggerId: id })).toEqual(both)
  })

  test('of several failures in a row the first', async () => {
    expect(await runEnds(failed)).toHaveLength(1)
    expect(await runEnds(failed)).toHaveLength(0)
    expect(await runEnds(failed)).toHaveLength(0)
    expect(await runEnds(completed)).toHaveLength(0)
    expect(await runEnds(failed)).toHaveLength(1)
  })

  test('nobody of what they stopped themselves, and a stop is no failure of the automation', async () => {
    expect(await runEnds(stoppedBy(office.ada))).toEqual([])
    expect(await runEnds(failed)).toEqual([office.ada.userId])
    expect(await runEnds(stoppedBy(office.ada))).toEqual([])
    expect(await runEnds(failed)).toEqual([])
    await runEnds(completed)
    expect(await runEnds(stoppedBy(bob))).toEqual([office.ada.userId])
    expect((await office.notifications()).at(-1)!.message).toBe('The automation “Weekly revenue” did not finish. Stopped.')
    expect(await runEnds(stoppedBy(bob))).toEqual([])
    expect(await runEnds(failed)).toEqual([office.ada.userId])
  })

  test('another automation’s failures are another matter', async () => {
    expect(await runEnds(failed)).toHaveLength(1)
    automation = await office.addAutomation()
    expect(await runEnds(failed)).toHaveLength(1)
  })
})
