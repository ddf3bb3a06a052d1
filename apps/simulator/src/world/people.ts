import { newSecret, type Sealer } from '@querypost/server/background-work'
import type { EventContent } from '@querypost/server/model'
import type { Chance } from '../chance.ts'
import type { Coverage } from '../coverage.ts'
import type { DeliveriesInWorld } from '../store/deliveries-in-world.ts'
import { worldBeganAt } from './machine.ts'
import type { Observatory } from './observatory.ts'
import type { ObservedPublication } from './observed.ts'
import type { Deed, Plan, Publication } from './plan.ts'
import type { Scheduler } from './scheduler.ts'

/** External actors with a correct clock: runs that end and publish events, and people who manage endpoints. */
export function makePeople(options: {
  plan: Plan
  deliveries: DeliveriesInWorld
  scheduler: Scheduler
  chance: Chance
  coverage: Coverage
  sealer: Sealer
  observatory: Observatory
  switchedOff: Set<string>
  setTime(now: Date): void
  wake(): void
  restartAWorker(): void
}) {
  const { plan, deliveries, scheduler, chance, coverage, observatory, switchedOff } = options
  const { endpoints } = observatory.observed
  /** The world's time, which is the store's. */
  function now(): Date {
    const at = new Date(worldBeganAt + scheduler.nowMs())
    options.setTime(at)
    return at
  }

  async function publish(publication: Publication, testOf?: string) {
    const { organizationId, isRolledBack } = publication
    const content = contentOf(chance, publication.textLength)
    const at = now()
    const input = { organizationId, content, now: at, isRolledBack, ...(testOf !== undefined && { testOf }) }
    const expected = expectedOf(organizationId, testOf)
    const open = deliveries.beginPublishing?.(input)
    // If the store can't hold a transaction open, it commits at once.
    const { eventId } = open?.published ?? (await deliveries.publish(input))
    const { type, data } = content
    const body = JSON.stringify({ id: eventId, type, createdAt: at.toISOString(), data })
    async function end() {
      if (!isRolledBack) await open?.commit()
      coverage.count(`publisher: ${isRolledBack ? 'rolled back' : 'committed'}`)
      await observatory.look({ by: 'publisher', publication: { eventId, body, testOf, expected, isRolledBack } })
      if (!isRolledBack) options.wake()
    }
    if (open) scheduler.at(scheduler.nowMs() + publication.openMs, end)
    else await end()
  }

  function expectedOf(organizationId: string, testOf?: string): ObservedPublication['expected'] {
    if (testOf !== undefined) return [{ endpointId: testOf, state: 'pending' }]
    if (switchedOff.has(organizationId)) return []
    return [...endpoints.values()]
      .filter(({ row }) => row.organizationId === organizationId && !row.isDeleted)
      .map(({ row }) => ({ endpointId: row.id, state: row.state === 'enabled' ? 'pending' : 'held' }))
  }

  async function act({ kind, endpointIndex }: Deed) {
    const { id: endpointId, organizationId } = plan.endpoints[endpointIndex]!
    const endpoint = endpoints.get(endpointId)!
    if (kind === 'restart a worker') {
      coverage.count(`person: ${kind}`)
      return options.restartAWorker()
    }
    if (kind === 'switch off' || kind === 'switch on') {
      coverage.count(`person: ${kind}`)
      if (kind === 'switch off') switchedOff.add(organizationId)
      else switchedOff.delete(organizationId)
      await deliveries.switchWebhooks(organizationId, kind === 'switch on')
      return switched(kind)
    }
    if (endpoint.row.isDeleted) return
    coverage.count(`person: ${kind}`)
    switch (kind) {
      case 'disable':
        if (endpoint.row.state === 'enabled') await deliveries.disableEndpoint(endpointId, now())
        break
      case 'enable':
      case 'enable and send held':
        await deliveries.enableEndpoint(endpointId, { now: now(), sendHeld: kind !== 'enable' })
        break
      case 'delete':
        await deliveries.deleteEndpoint(endpointId, now())
        break
      case 'change secret':
        await changeSecret(endpointId)
        break
      case 'send test': {
        const publication = { atMs: 0, organizationId, openMs: 0, isRolledBack: false, textLength: 10 }
        return publish(publication, endpointId)
      }
    }
    await observatory.look({ by: 'person', deed: kind, endpointId })
    options.wake()
  }

  async function switched(deed: string) {
    for (const endpoint of endpoints.values()) endpoint.changedMs = scheduler.nowMs()
    await observatory.look({ by: 'person', deed, endpointId: '' })
  }

  async function changeSecret(endpointId: string) {
    const endpoint = endpoints.get(endpointId)!
    const secret = newSecret(chance)
    endpoint.secrets.at(-1)!.untilMs = scheduler.nowMs()
    endpoint.secrets.push({ secret, untilMs: Infinity })
    await deliveries.changeSecret(endpointId, options.sealer.seal(secret, endpointId))
  }

  return {
    begin() {
      for (const publication of plan.publications) scheduler.at(publication.atMs, () => publish(publication))
      for (const deed of plan.deeds) scheduler.at(deed.atMs, () => act(deed))
    },
    /** Switches everything back on after the faults. */
    async switchAllOn() {
      for (const organizationId of switchedOff) await deliveries.switchWebhooks(organizationId, true)
      switchedOff.clear()
      await switched('switch on')
    },
  }
}

const fragments = ['Umsatz', ' é', '\u0000', '"', '\\', '🎉', '\u2028', ' 12,5 %', '\n', '</script>', '\ud800', '0001']

export function contentOf(chance: Chance, textLength: number): EventContent {
  const text = Array.from({ length: textLength }, () => chance.pick(fragments)).join('')
  const common = { automationId: `aut_${textLength % 7}`, automationName: 'Täglich', runId: 'run_1', chatUrl: 'https://q.example/chats/a' }
  return chance.isTrue(0.5)
    ? { type: 'automation.run.completed', data: { ...common, summary: text, imageUrl: null } }
    : { type: 'automation.run.failed', data: { ...common, reason: text } }
}
