import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import type { Db, Tx } from '../../../store/db.ts'
import type { FindMember } from '../../../store/people/find-member.ts'
import { findEndpoint, isReleasing, lockAgainstPublishing, lockEndpoint, setEndpointState, setReleasing } from '../../../store/webhooks/endpoints-table.ts'
import { batchesAtOnce, holdPending } from '../../../store/webhooks/hold-deliveries.ts'
import { setHeldAside } from '../../../store/webhooks/order-deliveries.ts'
import { countHeld, type HeldRead, releaseHeld } from '../../../store/webhooks/release-held.ts'
import { recordAction } from '../../audit/record-action.ts'
import type { Caller } from '../../../model/caller.ts'
import { requireWebhooks } from '../../people/organization-settings.ts'
import { whoAmI } from '../../people/organizations.ts'
import { deliveryKeptAtMostMs } from '../webhook-retention.ts'
import type { Endpoint, EndpointInFull } from '../../../model/endpoint.ts'
import { getEndpoint } from './endpoints.ts'
import { endpointDisabled, endpointSubject, requireEndpoint } from './require-endpoint.ts'

/**
 * Enabling and disabling endpoints. Each locks the endpoint before reading its state, so concurrent calls run one after the other.
 * Deliveries are then held or released in batches (hold-deliveries.ts, release-held.ts), because there may be very many: publishing
 * and recording attempts do not wait for all of them. From the first transaction on, the state decides what is sent. A process that
 * dies before the last batch leaves deliveries pending for a disabled endpoint, which workers then hold, or held for an enabled
 * one, which someone can send later.
 *
 * Both are idempotent: an endpoint that is already in the state stays as it is, with its reason and counter.
 */
export interface SwitchingDeps {
  db: Db
  clock: Clock
  random: Random
  findMember: FindMember
}

/** `sendHeld`: held deliveries are due at once. Otherwise they stay held until someone sends them. */
export async function enableEndpoint(
  deps: SwitchingDeps,
  caller: Caller,
  endpointId: string,
  options: { sendHeld: boolean },
): Promise<EndpointInFull> {
  await requireWebhooks(deps, caller)
  const { isOrdered } = await requireEndpoint(caller, endpointId, (key) => findEndpoint(deps.db, key))
  // Deliveries that disabling has not held yet would otherwise be sent, wanted or not.
  await holdPending(deps.db, { endpointId })
  // They miss their turn: once later events have been sent, they can only be sent outside the order.
  if (isOrdered && !options.sendHeld) await setHeldAside(deps.db, endpointId)
  await deps.db.transaction().execute(async (tx) => {
    const endpoint = await requireEndpoint(caller, endpointId, (key) => lockEndpoint(tx, key))
    if (endpoint.state === 'disabled') {
      await setEndpointState(tx, endpointId, { state: 'enabled', now: deps.clock.now() })
      if (options.sendHeld && endpoint.isOrdered) await setReleasing(tx, endpointId, true)
      await recordAction({ ...deps, tx }, caller, { action: 'webhook_endpoint.enabled', subject: endpointSubject(endpoint) })
    }
    if (options.sendHeld) await recordHeldSent(deps, tx, caller, endpoint)
  })
  if (options.sendHeld) await release(deps, endpointId)
  return getEndpoint(deps, caller, endpointId)
}

export async function disableEndpoint(
  deps: SwitchingDeps,
  caller: Caller,
  endpointId: string,
): Promise<EndpointInFull> {
  await requireWebhooks(deps, caller)
  const { user } = await whoAmI(deps, caller)
  await deps.db.transaction().execute(async (tx) => {
    const endpoint = await requireEndpoint(caller, endpointId, (key) => lockEndpoint(tx, key))
    if (endpoint.state === 'disabled') return
    const now = deps.clock.now()
    await setEndpointState(tx, endpointId, { state: 'disabled', reason: `Disabled by ${user.name}.`, now })
    const subject = endpointSubject(endpoint)
    await recordAction({ ...deps, tx }, caller, { action: 'webhook_endpoint.disabled', subject })
  })
  await holdPending(deps.db, { endpointId, batches: batchesAtOnce })
  return getEndpoint(deps, caller, endpointId)
}

/** Sends the deliveries held for an enabled endpoint; returns how many. */
export async function sendHeld(deps: SwitchingDeps, caller: Caller, endpointId: string): Promise<{ count: number }> {
  await requireWebhooks(deps, caller)
  await deps.db.transaction().execute(async (tx) => {
    const endpoint = await requireEndpoint(caller, endpointId, (key) => lockEndpoint(tx, key))
    if (endpoint.state === 'disabled') throw endpointDisabled()
    await recordHeldSent(deps, tx, caller, endpoint)
  })
  return { count: await release(deps, endpointId) }
}

/** Recorded before the first batch, so that an interrupted release is recorded too. */
async function recordHeldSent(deps: SwitchingDeps, tx: Tx, caller: Caller, endpoint: Endpoint): Promise<void> {
  const count = await countHeld(tx, heldFor(deps, endpoint.id))
  const subject = endpointSubject(endpoint)
  await recordAction({ ...deps, tx }, caller, { action: 'webhook_endpoint.held_sent', subject, details: { count } })
}

/** Workers start with the first batch while later ones are being released. */
async function release(deps: SwitchingDeps, endpointId: string): Promise<number> {
  const count = await releaseHeld(deps.db, heldFor(deps, endpointId))
  if (!(await isReleasing(deps.db, endpointId))) return count
  return count + (await deps.db.transaction().execute((tx) => finishReleasing(deps, tx, endpointId)))
}

/** Releases what an ordered endpoint's publishers have added behind the held deliveries. From then on they are sent directly. */
async function finishReleasing(deps: SwitchingDeps, tx: Tx, endpointId: string): Promise<number> {
  await lockAgainstPublishing(tx, endpointId)
  const count = await releaseHeld(tx, heldFor(deps, endpointId))
  await setReleasing(tx, endpointId, false)
  return count
}

const heldFor = ({ clock }: SwitchingDeps, endpointId: string): HeldRead => ({
  endpointId,
  createdAfter: new Date(clock.now().getTime() - deliveryKeptAtMostMs),
})
