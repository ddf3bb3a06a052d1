import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import type { Db, Tx } from '../../../store/db.ts'
import type { FindMember } from '../../../store/people/find-member.ts'
import { lockEndpoint, setEndpointState } from '../../../store/webhooks/endpoints.ts'
import { holdPending } from '../../../store/webhooks/hold-deliveries.ts'
import { releaseHeld } from '../../../store/webhooks/release-held.ts'
import { recordAction } from '../../audit/record-action.ts'
import type { Caller } from '../../people/caller.ts'
import { requireWebhooks } from '../../people/organization-settings.ts'
import { whoAmI } from '../../people/organizations.ts'
import { deliveryKeptAtMostMs } from '../retention.ts'
import type { EndpointInFull } from './endpoint.ts'
import { getEndpoint } from './endpoints.ts'
import { endpointDisabled, endpointSubject, wantEndpoint } from './want-endpoint.ts'

/**
 * Enabling and disabling. Each locks the endpoint before it looks at its state, so two at once happen one after the
 * other, and what happens to the deliveries is in the same transaction as what happens to the endpoint.
 *
 * Both may be asked for again: an endpoint that is in that state already stays as it is, with its reason and counter.
 */
export interface SwitchingDeps {
  db: Db
  clock: Clock
  random: Random
  findMember: FindMember
}

/** `sendHeld`: what was held for it is due at once. Otherwise it stays held until somebody sends it. */
export async function enableEndpoint(
  deps: SwitchingDeps,
  caller: Caller,
  endpointId: string,
  options: { sendHeld: boolean },
): Promise<EndpointInFull> {
  await requireWebhooks(deps, caller)
  await deps.db.transaction().execute(async (tx) => {
    const endpoint = await wantEndpoint(caller, endpointId, (key) => lockEndpoint(tx, key))
    const subject = endpointSubject(endpoint)
    if (endpoint.state === 'disabled') {
      await setEndpointState(tx, endpointId, { state: 'enabled', now: deps.clock.now() })
      await recordAction({ ...deps, tx }, caller, { action: 'webhook_endpoint.enabled', subject })
    }
    if (!options.sendHeld) return
    const count = await release(deps, tx, endpointId)
    await recordAction({ ...deps, tx }, caller, { action: 'webhook_endpoint.held_sent', subject, details: { count } })
  })
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
    const endpoint = await wantEndpoint(caller, endpointId, (key) => lockEndpoint(tx, key))
    if (endpoint.state === 'disabled') return
    const now = deps.clock.now()
    await setEndpointState(tx, endpointId, { state: 'disabled', reason: `Disabled by ${user.name}.`, now })
    await holdPending(tx, { endpointId, now })
    const subject = endpointSubject(endpoint)
    await recordAction({ ...deps, tx }, caller, { action: 'webhook_endpoint.disabled', subject })
  })
  return getEndpoint(deps, caller, endpointId)
}

/** Sends what is held for an enabled endpoint; says how many deliveries that are. */
export async function sendHeld(deps: SwitchingDeps, caller: Caller, endpointId: string): Promise<{ count: number }> {
  await requireWebhooks(deps, caller)
  const count = await deps.db.transaction().execute(async (tx) => {
    const endpoint = await wantEndpoint(caller, endpointId, (key) => lockEndpoint(tx, key))
    if (endpoint.state === 'disabled') throw endpointDisabled()
    const released = await release(deps, tx, endpointId)
    const entry = { action: 'webhook_endpoint.held_sent', subject: endpointSubject(endpoint) } as const
    await recordAction({ ...deps, tx }, caller, { ...entry, details: { count: released } })
    return released
  })
  return { count }
}

function release(deps: SwitchingDeps, tx: Tx, endpointId: string): Promise<number> {
  const now = deps.clock.now()
  return releaseHeld(tx, { endpointId, createdAfter: new Date(now.getTime() - deliveryKeptAtMostMs), now })
}
