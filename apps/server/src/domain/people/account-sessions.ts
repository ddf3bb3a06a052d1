import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { deleteSession, moveSession, readSessionsOf } from '../../store/people/sessions-table.ts'
import { personActor } from '../audit/actor.ts'
import { recordAction } from '../audit/record-action.ts'
import { isId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import type { Caller } from '../../model/caller.ts'
import { secretHash } from './secret-hash.ts'

/** A session as shown to its owner. */
export interface AccountSession {
  id: string
  createdAt: Date
  /** Accurate to the minute. */
  lastSeenAt: Date
  /** The browser's user agent at sign-in. */
  userAgent: string | null
  organizationName: string
  /** Whether this is the session making the request. */
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

export async function endSession(
  deps: { db: Db; clock: Clock; random: Random },
  caller: Caller,
  id: string,
): Promise<void> {
  const rows = await readSessionsOf(deps.db, { userId: caller.userId, now: deps.clock.now() })
  const found = rows.find(({ tokenHash }) => sessionId(tokenHash) === id)
  if (!found) throw new Refusal('session_not_found', 'You have no such session. It may have ended already.')
  await deps.db.transaction().execute(async (tx) => {
    const ended = await deleteSession(tx, found.tokenHash)
    if (ended) await recordAction({ ...deps, tx }, { ...caller, ...ended }, sessionEnded(found.tokenHash))
  })
}

export const sessionEnded = (tokenHash: Uint8Array) =>
  ({ action: 'session.ended', subject: { type: 'session', id: sessionId(tokenHash), name: null } }) as const

/** Moves the session to another organization of the person; from then on it sees only that organization. */
export async function switchOrganization(
  deps: { db: Db; clock: Clock; random: Random },
  caller: Caller,
  input: { organizationId: string; token: string },
): Promise<void> {
  const { organizationId, token } = input
  const { userId } = caller
  const tokenHash = secretHash(token)
  if (!isId(organizationId)) throw noSuchOrganization()
  await deps.db.transaction().execute(async (tx) => {
    if (!(await moveSession(tx, { tokenHash, userId, organizationId }))) throw noSuchOrganization()
    // Staying in the same organization is not recorded.
    if (organizationId === caller.organizationId) return
    await recordAction({ ...deps, tx }, personActor({ organizationId, userId, origin: caller.origin }), {
      action: 'session.started',
      subject: { type: 'session', id: sessionId(tokenHash), name: null },
      details: { method: 'other_organization' },
    })
  })
}

const noSuchOrganization = () =>
  new Refusal('organization_not_found', 'There is no such organization, or you are no longer a member of it.')

/** The id is a part of the hash, from which the token cannot be derived. */
export const sessionId = (tokenHash: Uint8Array) => `session_${Buffer.from(tokenHash).toString('hex').slice(0, 24)}`
