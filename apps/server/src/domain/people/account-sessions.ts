import type { Clock } from '../../ports/clock.ts'
import type { Db } from '../../store/db.ts'
import { moveSession, readSessionsOf } from '../../store/people/sessions.ts'
import { isId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import type { Caller } from './caller.ts'
import { secretHash } from './secret-hash.ts'

/** A place where a person is signed in, as that person sees it. */
export interface AccountSession {
  id: string
  createdAt: Date
  /** To the minute. */
  lastSeenAt: Date
  /** What the browser called itself when it signed in. */
  userAgent: string | null
  organizationName: string
  /** The one that asks. */
  isCurrent: boolean
}

export async function listSessions(
  deps: { db: Db; clock: Clock },
  caller: Caller,
  token: string,
): Promise<AccountSession[]> {
  const current = sessionId(secretHash(token))
  const rows = await readSessionsOf(deps.db, { userId: caller.userId, now: deps.clock.now() })
  return rows.map(({ tokenHash, createdAt, lastSeenAt, userAgent, organizationName }) => {
    const id = sessionId(tokenHash)
    return { id, createdAt, lastSeenAt, userAgent, organizationName, isCurrent: id === current }
  })
}

export async function endSession(deps: { db: Db; clock: Clock }, caller: Caller, id: string): Promise<void> {
  const rows = await readSessionsOf(deps.db, { userId: caller.userId, now: deps.clock.now() })
  const found = rows.find(({ tokenHash }) => sessionId(tokenHash) === id)
  if (!found) throw new Refusal('session_not_found', 'There is no such session of yours. It may have ended already.')
  await deps.db.deleteFrom('sessions').where('token_hash', '=', found.tokenHash).execute()
}

/** The session goes on in another organization of the person's; what it sees from then on is that one's alone. */
export async function switchOrganization(
  deps: { db: Db },
  caller: Caller,
  input: { organizationId: string; token: string },
): Promise<void> {
  const { organizationId, token } = input
  const { userId } = caller
  const tokenHash = secretHash(token)
  if (!isId(organizationId) || !(await moveSession(deps.db, { tokenHash, userId, organizationId }))) {
    throw new Refusal('organization_not_found', 'There is no such organization, or you are not a member of it any more.')
  }
}

/** A part of the hash names the session: whoever reads it cannot make the token of it. */
const sessionId = (tokenHash: Uint8Array) => `session_${Buffer.from(tokenHash).toString('hex').slice(0, 24)}`
