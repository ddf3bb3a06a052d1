import type { Clock } from '../../ports/clock.ts'
import { type Random, randomText } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { inTransaction } from '../../store/in-transaction.ts'
import {
  changeApiKey,
  findApiKeyForChange,
  insertApiKey,
  markApiKeyRevoked,
  readApiKeys,
  type StoredApiKey,
} from '../../store/people/api-keys-table.ts'
import { changesOf } from '../audit/changes.ts'
import { recordAction, recordChange } from '../audit/record-action.ts'
import { newId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import { scopesBeforeScopes } from '../../model/api-key-scope.ts'
import type { Caller } from '../../model/caller.ts'
import type { ApiKeyLimits } from '../../model/people.ts'
import { checkLimits, type GivenLimits } from './api-key-limits.ts'
import { badInput, checkText } from './check-text.ts'
import { checkGroupsOfKey } from './groups-of-keys.ts'
import { secretHash } from './secret-hash.ts'

/**
 * An *API key* lets a program act as the member who created it, with that member's current role. A key that belongs to groups sees what they
 * may see instead, and is never an admin. The key itself is shown once; the
 * store keeps its hash and a *prefix* to recognize it by. A revoked key keeps its row, for the runs that name it as their trigger,
 * but no function here finds it any more.
 */
export interface ApiKey extends ApiKeyLimits {
  id: string
  name: string
  prefix: string
  createdAt: Date
  /** Accurate to the minute; null if never used. */
  lastUsedAt: Date | null
}

/** Without scopes, a key can do what every key could do before there were scopes. */
export interface ApiKeyInput extends GivenLimits {
  name: string
  groupIds?: readonly string[] | null | undefined
}

/** A key supplied by the operator may have 32 to 64 letters and digits; generated keys have 40, which hold 238 random bits. */
export const apiKeyPattern = /^qp_live_[A-Za-z0-9]{32,64}$/

const lettersAndDigits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

export function generateApiKey(random: Random): string {
  return `qp_live_${randomText(random, lettersAndDigits, 40)}`
}

/** Only the return value ever contains the key. */
export async function createApiKey(
  deps: { db: Db; clock: Clock; random: Random },
  caller: Caller,
  input: ApiKeyInput,
): Promise<ApiKey & { key: string }> {
  return storeApiKey(deps, caller, { ...input, key: generateApiKey(deps.random) })
}

/** Stores a key made elsewhere. Everyone else uses `createApiKey`. */
export async function storeApiKey(
  deps: { db: Db; clock: Clock; random: Random },
  caller: Caller,
  input: ApiKeyInput & { key: string },
): Promise<ApiKey & { key: string }> {
  const { key } = input
  const name = checkText({ path: '/name', text: input.name, maxCharacters: 100 })
  if (!apiKeyPattern.test(key)) throw badInput('/apiKey', 'must be qp_live_ followed by 32 to 64 letters and digits')
  const createdAt = deps.clock.now()
  const { scopes, expiresAt, allowedNetworks } = checkLimits(input, createdAt)
  const id = newId(deps.random, 'key')
  const prefix = key.slice(0, 'qp_live_'.length + 4)
  const groupIds = await inTransaction(deps.db, async (tx) => {
    const groupIds = await checkGroupsOfKey(tx, caller, input.groupIds ?? null)
    const isStored = await insertApiKey(tx, {
      id,
      organization_id: caller.organizationId,
      user_id: caller.userId,
      name,
      prefix,
      key_hash: secretHash(key),
      created_at: createdAt,
      scopes,
      expires_at: expiresAt,
      allowed_networks: allowedNetworks,
      group_ids: groupIds,
    })
    if (!isStored) throw new Refusal('forbidden', 'You are no longer a member of this organization.')
    const subject = { type: 'api_key', id, name } as const
    const details = {
      prefix,
      ...(scopes && { scopes }),
      ...(expiresAt && { expiresAt: expiresAt.toISOString() }),
      ...(allowedNetworks && { allowedNetworks }),
      ...(groupIds && { groupIds }),
    }
    await recordAction({ ...deps, tx }, caller, { action: 'api_key.created', subject, details })
    return groupIds
  })
  const limits = { scopes: scopes ?? [...scopesBeforeScopes], expiresAt, allowedNetworks, groupIds }
  return { id, name, prefix, createdAt, lastUsedAt: null, ...limits, key }
}

/** Newest first. Members see their own keys, admins those of the whole organization, each with the member it acts as. */
export async function listApiKeys(
  deps: { db: Db },
  caller: Caller,
): Promise<StoredApiKey[]> {
  return readApiKeys(deps.db, visibleTo(caller))
}

/** Renames a key, or changes the groups it belongs to. Takes effect with the key's next request. */
export async function editApiKey(
  deps: { db: Db; clock: Clock; random: Random },
  caller: Caller,
  { id, ...edit }: { id: string; name?: string; groupIds?: readonly string[] | null },
): Promise<StoredApiKey> {
  if (id.includes('\0')) throw noSuchKey()
  const name = edit.name === undefined ? undefined : checkText({ path: '/name', text: edit.name, maxCharacters: 100 })
  return inTransaction(deps.db, async (tx) => {
    const before = await findApiKeyForChange(tx, { id, ...visibleTo(caller) })
    if (!before) throw noSuchKey()
    const owner = { organizationId: caller.organizationId, userId: before.user.id, role: before.user.role }
    const groupIds = edit.groupIds === undefined ? before.groupIds : await checkGroupsOfKey(tx, owner, edit.groupIds)
    await changeApiKey(tx, { id, name: name ?? before.name, groupIds })
    const after = (await readApiKeys(tx, visibleTo(caller))).find((key) => key.id === id)!
    const details = { changes: changesOf(auditFields(before), auditFields(after)) }
    const subject = { type: 'api_key', id, name: before.name } as const
    await recordChange({ ...deps, tx }, caller, { action: 'api_key.changed', subject, details })
    return after
  })
}

const auditFields = ({ name, groupIds }: Pick<ApiKey, 'name' | 'groupIds'>) => ({ name, groupIds })

/** Anyone who can see a key may revoke it; to all others it does not exist. It stops working immediately. */
export async function revokeApiKey(
  deps: { db: Db; clock: Clock; random: Random },
  caller: Caller,
  id: string,
): Promise<void> {
  // PostgreSQL fails on a text with a NUL.
  if (id.includes('\0')) throw noSuchKey()
  await deps.db.transaction().execute(async (tx) => {
    const revoked = await markApiKeyRevoked(tx, { id, now: deps.clock.now(), ...visibleTo(caller) })
    if (!revoked) throw noSuchKey()
    const { name, prefix, userId, email } = revoked
    const subject = { type: 'api_key', id, name } as const
    const details = { prefix, of: { userId, email } }
    await recordAction({ ...deps, tx }, caller, { action: 'api_key.revoked', subject, details })
  })
}

const visibleTo = ({ organizationId, userId, role }: Caller) => ({ organizationId, ...(role !== 'admin' && { userId }) })

const noSuchKey = () =>
  new Refusal('api_key_not_found', 'There is no such API key, or it has already been revoked. Check the list of keys.')
