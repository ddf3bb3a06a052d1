import { batchedLookup } from '../../store/batched-lookup.ts'
import type { Db } from '../../store/db.ts'
import { readKeyCallers } from '../../store/people/read-key-callers.ts'
import { roleOfKey } from '../access/decide-access.ts'
import { withAccess } from '../access/read-access.ts'
import { apiKeyPattern } from './api-keys.ts'
import type { Caller } from '../../model/caller.ts'
import type { ApiKeyLimits } from '../../model/people.ts'
import { Refusal } from '../refusal.ts'
import { keyProblem } from './api-key-limits.ts'
import type { LastUsedRecorder } from './last-used.ts'
import { secretHash } from './secret-hash.ts'

export interface AuthenticatedKey extends ApiKeyLimits {
  caller: Caller
  keyId: string
  keyName: string
  hasChosenScopes: boolean
}

export type AuthenticateKey = (key: string, address?: string | null) => Promise<AuthenticatedKey | undefined>

/**
 * The member a key acts as. Read for every request, so that a revoked or expired key, or that of a removed member, is rejected at once.
 * Undefined for an unknown key. A key that may not be used now or from this address is refused with the reason: its caller holds the key.
 */
export function makeKeyAuthenticator(deps: { db: Db; lastUsed: Pick<LastUsedRecorder, 'note'> }): AuthenticateKey {
  const lookup = batchedLookup({ read: (keyHashes: string[]) => readKeyCallers(deps.db, keyHashes) })
  return async function authenticateKey(key, address) {
    if (!apiKeyPattern.test(key)) return undefined
    const found = await lookup(secretHash(key).toString('hex'))
    if (!found) return undefined
    const problem = keyProblem(found, address ?? null)
    if (problem !== undefined) throw new Refusal('unauthenticated', problem)
    const { keyId, keyName, organizationId, userId, role, scopes, hasChosenScopes, expiresAt, allowedNetworks, groupIds } = found
    deps.lastUsed.note(keyId)
    const member = { organizationId, userId, triggerId: keyId, ...roleOfKey(role, groupIds && { id: keyId, groupIds }) }
    const caller = found.hasAccessRules ? await withAccess(deps.db, member) : member
    return { caller, keyId, keyName, scopes, hasChosenScopes, expiresAt, allowedNetworks, groupIds }
  }
}
