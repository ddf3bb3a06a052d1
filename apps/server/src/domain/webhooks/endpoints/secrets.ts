import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import type { Db, Tx } from '../../../store/db.ts'
import { lockSecrets, readSecrets, type SealedSecrets, writeSecrets } from '../../../store/webhooks/endpoint-secrets.ts'
import { findEndpoint } from '../../../store/webhooks/endpoints-table.ts'
import type { AuditAction } from '../../../model/audit-action.ts'
import { recordAction } from '../../audit/record-action.ts'
import type { Caller } from '../../../model/caller.ts'
import { requireWebhooks } from '../../people/organization-settings.ts'
import { Refusal } from '../../refusal.ts'
import type { Sealer } from '../../sealing.ts'
import { newSecret } from '../secret.ts'
import { endpointSubject, requireEndpoint } from './require-endpoint.ts'

/**
 * The *current* secret signs. A *next* secret is created in advance, given to the receiver, and only then made current, so nothing
 * is ever signed with a secret that the receiver does not have. Only activating changes which secret signs.
 *
 * Secrets are encrypted for their endpoint's id. After a change of SECRET_KEY they cannot be decrypted; rotating still works, since
 * it is the way to recover.
 */
export interface SecretsDeps {
  db: Db
  clock: Clock
  random: Random
  sealer: Sealer
}

export interface EndpointSecrets {
  /** Null if it cannot be decrypted. */
  secret: string | null
  /** Null if there is none. */
  nextSecret: string | null
}

export async function getSecrets(deps: SecretsDeps, caller: Caller, endpointId: string): Promise<EndpointSecrets> {
  await requireWebhooks(deps, caller)
  const sealed = await requireEndpoint(caller, endpointId, (key) => readSecrets(deps.db, key))
  const secret = open(deps.sealer, sealed.secret, endpointId)
  if (secret === null) throw unreadable()
  // Recorded before it is returned, so that no secret is shown without a record.
  await deps.db.transaction().execute((tx) => record(deps, tx, caller, { endpointId, action: 'webhook_endpoint.secret_shown' }))
  return { secret, nextSecret: sealed.nextSecret && open(deps.sealer, sealed.nextSecret, endpointId) }
}

/** Creates a next secret. An existing one is kept, because the receiver may already have it. */
export async function rotateSecret(deps: SecretsDeps, caller: Caller, endpointId: string): Promise<EndpointSecrets> {
  return change(deps, caller, { endpointId, action: 'webhook_endpoint.secret_rotated' }, (sealed) => {
    const existing = sealed.nextSecret && open(deps.sealer, sealed.nextSecret, endpointId)
    return existing === null ? { nextSecret: deps.sealer.seal(newSecret(deps.random), endpointId) } : undefined
  })
}

/** From the next attempt on, the next secret signs; the previous one is deleted. */
export async function activateNextSecret(
  deps: SecretsDeps,
  caller: Caller,
  endpointId: string,
): Promise<EndpointSecrets> {
  return change(deps, caller, { endpointId, action: 'webhook_endpoint.secret_activated' }, ({ nextSecret }) => {
    if (nextSecret === null) {
      throw new Refusal(
        'next_secret_missing',
        'This endpoint has no next secret to activate. Rotate the secret first, or check whether it has already been activated.',
      )
    }
    if (open(deps.sealer, nextSecret, endpointId) === null) throw unreadable()
    return { secret: nextSecret, nextSecret: null }
  })
}

/** Deletes the next secret; the current one keeps signing. */
export async function cancelNextSecret(deps: SecretsDeps, caller: Caller, endpointId: string): Promise<EndpointSecrets> {
  return change(deps, caller, { endpointId, action: 'webhook_endpoint.secret_cancelled' }, ({ nextSecret }) =>
    nextSecret === null ? undefined : { nextSecret: null },
  )
}

async function change(
  deps: SecretsDeps,
  caller: Caller,
  act: { endpointId: string; action: AuditAction },
  decide: (sealed: SealedSecrets) => Partial<SealedSecrets> | undefined,
): Promise<EndpointSecrets> {
  await requireWebhooks(deps, caller)
  const { endpointId } = act
  const sealed = await deps.db.transaction().execute(async (tx) => {
    const before = await requireEndpoint(caller, endpointId, (key) => lockSecrets(tx, key))
    const changed = decide(before)
    if (changed) {
      await writeSecrets(tx, endpointId, { ...changed, now: deps.clock.now() })
      await record(deps, tx, caller, act)
    }
    return { ...before, ...changed }
  })
  return {
    secret: open(deps.sealer, sealed.secret, endpointId),
    nextSecret: sealed.nextSecret && open(deps.sealer, sealed.nextSecret, endpointId),
  }
}

async function record(
  deps: SecretsDeps,
  tx: Tx,
  caller: Caller,
  { endpointId, action }: { endpointId: string; action: AuditAction },
): Promise<void> {
  const endpoint = await requireEndpoint(caller, endpointId, (key) => findEndpoint(tx, key))
  await recordAction({ ...deps, tx }, caller, { action, subject: endpointSubject(endpoint) })
}

function open(sealer: Sealer, sealed: Uint8Array, endpointId: string): string | null {
  try {
    return sealer.open(sealed, endpointId)
  } catch {
    return null
  }
}

const unreadable = () =>
  new Refusal(
    'secret_unreadable',
    'This secret cannot be decrypted: SECRET_KEY has changed since it was saved. ' +
      'Rotate the secret, or ask the operator to restore the key.',
  )
