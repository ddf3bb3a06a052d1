import { batchedLookup } from '../../store/batched-lookup.ts'
import type { Db } from '../../store/db.ts'
import { readKeyCallers } from '../../store/people/read-key-callers.ts'
import { apiKeyPattern } from './api-keys.ts'
import type { Caller } from '../../model/caller.ts'
import type { LastUsedRecorder } from './last-used.ts'
import { secretHash } from './secret-hash.ts'

export interface AuthenticatedKey {
  caller: Caller
  keyId: string
  keyName: string
}

/** The member a key acts as. Read for every request, so that a revoked key or a removed member is rejected at once. */
export function makeKeyAuthenticator(deps: { db: Db; lastUsed: Pick<LastUsedRecorder, 'note'> }) {
  const lookup = batchedLookup({ read: (keyHashes: string[]) => readKeyCallers(deps.db, keyHashes) })
  return async function authenticateKey(key: string): Promise<AuthenticatedKey | undefined> {
    if (!apiKeyPattern.test(key)) return undefined
    const found = await lookup(secretHash(key).toString('hex'))
    if (!found) return undefined
    const { keyId, keyName, ...member } = found
    deps.lastUsed.note(keyId)
    return { caller: { ...member, triggerId: keyId }, keyId, keyName }
  }
}
