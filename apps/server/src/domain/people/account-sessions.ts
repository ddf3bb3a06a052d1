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

export async function endSession(
  deps: { db: Db; clock: Clock; random: Random },
  caller: Caller,
  id: string,
): Promise<void> {
  const rows = await readSessionsOf(deps.db, { userId: caller.userId, now: deps.clock.now() })
  const found = rows.find(({ tokenHash }) => sessionId(tokenHash) === id)
  if (!found) throw new Refusal('session_not_found', 'There is no such session of yours. It may have ended already.')
  await deps.db.transaction().execute(async (tx) => {
    const ended = await deleteSession(tx, found.tokenHash)
    if (ended) await recordAction({ ...deps, tx }, { ...caller, ...ended }, sessionEnded(found.tokenHash))
  })
}

export const sessionEnded = (tokenHash: Uint8Array) =>
  ({ action: 'session.ended', subject: { type: 'session', id: sessionId(tokenHash), name: null } }) as const

/** The session goes on in another organization of the person's; what it sees from then on is that one's alone. */
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
    // Who goes on where they are has done nothing.
    if (organizationId === caller.organizationId) return
    await recordAction({ ...deps, tx }, personActor({ organizationId, userId, origin: caller.origin }), {
      action: 'session.started',
      subject: { type: 'session', id: sessionId(tokenHash), name: null },
      details: { method: 'other_organization' },
    })
  })
}

const noSuchOrganization = () =>
  new Refusal('organization_not_found', 'There is no such organization, or you are not a member of it any more.')

/** A part of the hash names the session: whoever reads it cannot make the token of it. */
export const sessionId = (tokenHash: Uint8Array) => `session_${Buffer.from(tokenHash).toString('hex').slice(0, 24)}`
