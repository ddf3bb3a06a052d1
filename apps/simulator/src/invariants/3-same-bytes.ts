import { createHmac } from 'node:crypto'
import { worldBeganAt } from '../world/machine.ts'
import type { Judge, ObservedRequest } from '../world/observed.ts'

/** The clock difference that receivers should tolerate. */
const toleranceMs = 5 * 60_000
/** A process compares its clock with the store's every 30 seconds, if the store answers. */
const knowsAgainAfterMs = 240_000

/**
 * 3. Same id and same body bytes in every attempt; timestamp and signature fresh in each.
 *
 * Fresh means from the second in which the worker sent the request, by the clock of its process, which follows the store's. The signature
 * is recomputed here from the contract's definition, with any secret that the endpoint had since the worker claimed the delivery.
 */
export function sameBytes(): Judge {
  return {
    invariant: 3,
    requested(request) {
      const { delivery, endpoint, headers, body } = request
      // Invariant 4 covers requests without an endpoint.
      if (!endpoint) return undefined
      const id = headers['svc-webhook-id']
      const what = `request for event ${id} to ${endpoint.plan.id}`
      if (!delivery) return `${what}: there is no such event for it`
      if (headers['webhook-id'] !== id) return `${what}: the two ids differ`
      if (!body.equals(delivery.body)) return `${what}: the body is not the one that was published`
      const timestamp = headers['svc-webhook-timestamp']
      const fresh = String(Math.floor(request.wallMs / 1000))
      if (timestamp !== fresh || headers['webhook-timestamp'] !== fresh) {
        return `${what}: the timestamp is ${timestamp}, sent at ${fresh}`
      }
      const claimedMs = delivery.claims.findLast(({ machine }) => machine === request.machine)?.atMs ?? request.atMs
      const secrets = endpoint.secrets.filter(({ untilMs }) => untilMs >= claimedMs)
      return secrets.some(({ secret }) => isSignedWith(request, secret)) ? undefined : `${what}: the signature does not verify`
    },
    arrived({ arrivedMs, machine, headers, endpoint, atMs }) {
      const byReceiver = worldBeganAt + arrivedMs!
      // After a suspension, a machine learns the time by asking the store.
      const { suspensionEndMs, comparedMs } = machine.last
      const isAsleep = suspensionEndMs >= comparedMs || suspensionEndMs >= atMs - knowsAgainAfterMs
      if (isAsleep || !endpoint) return undefined
      const offMs = Math.abs(byReceiver - Number(headers['svc-webhook-timestamp']) * 1000)
      return offMs > toleranceMs ? `request to ${endpoint.plan.id}: the receiver finds it ${offMs} ms off` : undefined
    },
  }
}

function isSignedWith({ headers, body }: ObservedRequest, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const start = `${headers['svc-webhook-id']}.${headers['svc-webhook-timestamp']}.`
  const digest = createHmac('sha256', key).update(Buffer.concat([Buffer.from(start), body])).digest()
  return (
    headers['svc-webhook-signature'] === `v1=${digest.toString('hex')}` &&
    headers['webhook-signature'] === `v1,${digest.toString('base64')}`
  )
}
