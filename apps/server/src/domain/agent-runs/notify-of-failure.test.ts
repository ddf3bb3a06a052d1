import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestStore, ruleKindsOf, storeKinds } from '../../../testing/store/test-store.ts'
import { type AgentRunFixture, openAgentRunFixture } from '../../../testing/work/agent-run-fixture.ts'
import { createApiKey } from '../people/api-keys.ts'
import type { Caller } from '../../model/caller.ts'
import { endAgentRun, type Ending } from './end-agent-run.ts'

describe.each(storeKinds)('notifications of failed runs on %s', (kind) => {
  let office: AgentRunFixture
  let bob: Caller
  let automation: Awaited<ReturnType<AgentRunFixture['addAutomation']>>

  beforeEach(async () => {
    office = await openAgentRunFixture((clock) => openTestStore(kind, { clock }), `told ${kind}`)
    bob = await office.addPerson(office.organizationId, 'Bob', 'member')
    automation = await office.addAutomation()
  })
  afterEach(() => office.close())

  const failed: Ending = { status: 'failed', reason: 'Timeout.' }
  const completed: Ending = { status: 'completed', answer: { summary: 'Well.' } }
  const stoppedBy = (person: Caller): Ending => ({ status: 'failed', reason: 'Stopped.', stoppedBy: person.userId })

  /** The users who were notified of a run that ended this way. */
  async function runEnds(ending: Ending, by?: Parameters<AgentRunFixture['request']>[1]): Promise<string[]> {
    const before = await office.notifications()
    const runId = await office.request(automation, by)
    expect(await endAgentRun(office, { runId, while: { status: 'pending' }, ending })).toBe(true)
    return (await office.notifications()).slice(before.length).map(({ user_id }) => user_id)
  }

  test('notify the creator of the automation, with the reason and a link', async () => {
    await runEnds(failed, { trigger: 'schedule', triggerId: automation.id })
    const { shortId } = await office.db.selectFrom('chats').select('short_id as shortId').executeTakeFirstOrThrow()
    expect(await office.notifications()).toEqual([
      {
        user_id: office.ada.userId,
        kind: 'run_failed',
        message:
          'The automation “Weekly revenue” failed. Timeout. You won’t be notified of further failures until a run succeeds.',
        link: `/chats/${shortId}`,
      },
    ])
  })

  test.each(ruleKindsOf(kind))('notify the person who requested the run, in person or with an API key', async () => {
    const both = [office.ada.userId, bob.userId].toSorted()
    expect(await runEnds(failed, { trigger: 'person', triggerId: bob.userId })).toEqual(both)
    await runEnds(completed)
    const { id } = await createApiKey(office, bob, { name: 'script' })
    expect(await runEnds(failed, { trigger: 'api', triggerId: id })).toEqual(both)
  })

  test.each(ruleKindsOf(kind))('are sent for the first of several failures in a row', async () => {
    expect(await runEnds(failed)).toHaveLength(1)
    expect(await runEnds(failed)).toHaveLength(0)
    expect(await runEnds(failed)).toHaveLength(0)
    expect(await runEnds(completed)).toHaveLength(0)
    expect(await runEnds(failed)).toHaveLength(1)
  })

  test.each(ruleKindsOf(kind))('are not sent to the person who stopped the run, and a stop does not count as a failure', async () => {
    expect(await runEnds(stoppedBy(office.ada))).toEqual([])
    expect(await runEnds(failed)).toEqual([office.ada.userId])
    expect(await runEnds(stoppedBy(office.ada))).toEqual([])
    expect(await runEnds(failed)).toEqual([])
    await runEnds(completed)
    expect(await runEnds(stoppedBy(bob))).toEqual([office.ada.userId])
    expect((await office.notifications()).at(-1)!.message).toBe('The automation “Weekly revenue” failed. Stopped.')
    expect(await runEnds(stoppedBy(bob))).toEqual([])
    expect(await runEnds(failed)).toEqual([office.ada.userId])
  })

  test.each(ruleKindsOf(kind))('count the failures of each automation separately', async () => {
    expect(await runEnds(failed)).toHaveLength(1)
    automation = await office.addAutomation()
    expect(await runEnds(failed)).toHaveLength(1)
  })
})
