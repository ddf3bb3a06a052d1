import { NotPlacedHere } from '@querypost/server/background-work'
import { StoreUnavailable } from '@querypost/server/store'
import type { Chance } from '../chance.ts'
import type { Coverage } from '../coverage.ts'
import { worldBeganAt } from '../world/machine.ts'
import type { ObservedPublication } from '../world/observed.ts'
import type { Observatory } from '../world/observatory.ts'
import { contentOf } from '../world/people.ts'
import type { Scheduler } from '../world/scheduler.ts'
import type { OpenWrite, PlacedStore } from './placed-store.ts'
import type { ApiProcess } from './processes.ts'
import type { RequestPlan } from './stores-plan.ts'

/** A request of a client, which repeats it until it is answered. */
export interface ClientRequest {
  plan: RequestPlan
  isAnswered: boolean
}

const timeoutMs = 10_000

/** Clients of the API. They publish, read and manage endpoints. Each repeats a request that failed or was not answered. */
export function makeClients(options: {
  requests: RequestPlan[]
  apis: readonly ApiProcess[]
  scheduler: Scheduler
  chance: Chance
  coverage: Coverage
  observatory: Observatory
  storeNow(store: PlacedStore): Date
  wake(store: PlacedStore): void
  /** Reports an answer that is wrong. */
  complain(message: string): void
}) {
  const { scheduler, chance, coverage, observatory } = options
  const requests = options.requests.map((plan): ClientRequest => ({ plan, isAnswered: false }))
  /** Published events that must be in every list. */
  const published = new Map<string, Set<string>>()

  async function publish(api: ApiProcess, plan: Extract<RequestPlan, { kind: 'publish' }>) {
    const { organizationId, isRolledBack } = plan
    const content = contentOf(chance, chance.between(0, 20))
    let write: OpenWrite | undefined
    let at = new Date(0)
    let expected: ObservedPublication['expected'] = []
    let store: PlacedStore | undefined
    try {
      store = await api.call(organizationId, 'store.api.begin', (found) => {
        if (api.machine.isDead()) throw new StoreUnavailable('the connection is lost')
        found.require(organizationId, 'write')
        store = found
        at = options.storeNow(found)
        write = { machine: api.machine, organizationId, publication: found.deliveries.beginPublishing!({ organizationId, content, now: at }) }
        found.begin(write)
        expected = [...observatory.observed.endpoints.values()]
          .filter(({ row }) => row.organizationId === organizationId)
          .map(({ row }) => ({ endpointId: row.id, state: row.state === 'enabled' ? 'pending' : 'held' }))
        return found
      })
      await api.machine.clock.sleep(plan.openMs)
      if (isRolledBack) return
      await api.callAgain(store, 'store.api.commit', () => commit(store!, write!))
    } finally {
      store?.rollBack((each) => each === write)
    }
    const { eventId } = write!.publication.published
    published.set(organizationId, (published.get(organizationId) ?? new Set()).add(eventId))

    async function commit(place: PlacedStore, open: OpenWrite) {
      await place.commit(open)
      const { eventId: id } = open.publication.published
      const body = JSON.stringify({ id, type: content.type, createdAt: at.toISOString(), data: content.data })
      await observatory.look({ by: 'publisher', publication: { eventId: id, body, testOf: undefined, expected, isRolledBack: false } })
      coverage.count('publisher: committed')
      options.wake(place)
    }
  }

  async function read(api: ApiProcess, organizationId: string) {
    const wanted = [...(published.get(organizationId) ?? [])]
    const eventIds = await api.call(organizationId, 'store.api.read', (store) => {
      store.require(organizationId, 'read')
      return new Set(store.rowsOf(organizationId).deliveries.map(({ eventId }) => eventId))
    })
    const missing = wanted.find((eventId) => !eventIds.has(eventId))
    if (missing !== undefined) options.complain(`a list of ${organizationId} lacks event ${missing}, which was published before`)
  }

  const change = (api: ApiProcess, { kind, organizationId, endpointId }: Extract<RequestPlan, { endpointId: string }>) =>
    api.call(organizationId, 'store.api.begin', async (store) => {
      store.require(organizationId, 'write')
      const now = options.storeNow(store)
      const { state } = store.rows.endpoints.get(endpointId)!
      if (kind === 'disable' && state === 'enabled') await store.deliveries.disableEndpoint(endpointId, now)
      if (kind !== 'disable') await store.deliveries.enableEndpoint(endpointId, { now, sendHeld: true })
      await observatory.look({ by: 'person', deed: kind, endpointId })
      options.wake(store)
    })

  function send(api: ApiProcess, plan: RequestPlan): Promise<void> {
    if (plan.kind === 'publish') return publish(api, plan)
    return plan.kind === 'read' ? read(api, plan.organizationId) : change(api, plan)
  }

  function attempt(request: ClientRequest) {
    const alive = options.apis.filter(({ machine }) => !machine.isDead())
    let isOver = false
    const again = (error?: unknown) => {
      if (error instanceof NotPlacedHere) coverage.count('move: rejected a request')
      if (isOver) return
      isOver = true
      timeout.cancel()
      scheduler.at(scheduler.nowMs() + chance.between(500, 6_000), () => attempt(request))
    }
    const open = request.plan.kind === 'publish' ? request.plan.openMs : 0
    const timeout = scheduler.at(scheduler.nowMs() + timeoutMs + open, () => again())
    if (alive.length === 0) return again()
    const api = chance.pick(alive)
    const answer = () => {
      if (isOver) return
      isOver = true
      timeout.cancel()
      request.isAnswered = true
      coverage.count(`client: ${request.plan.kind}`)
    }
    // A process that is stalled takes requests afterwards, and drops those of clients that have left.
    api.machine.later(chance.between(0, 5), () => {
      if (!isOver) send(api, request.plan).then(answer, again)
    })
  }

  return {
    requests,
    begin() {
      for (const request of requests) scheduler.at(request.plan.atMs, () => attempt(request))
    },
    areAnswered: () => requests.every(({ isAnswered }) => isAnswered),
  }
}

export const toStoreTime = (nowMs: number, aheadMs: number): Date => new Date(worldBeganAt + nowMs + aheadMs)
