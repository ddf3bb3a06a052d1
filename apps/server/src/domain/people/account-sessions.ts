import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { OidcProvider } from '../../ports/oidc.ts'
import type { Db, Tx } from '../../store/db.ts'
import { lockEntryPolicies } from '../../store/people/entry-policies.ts'
import { findSecondFactor } from '../../store/people/second-factors-table.ts'
import { deleteSession, findSessionMethod, moveSession, readSessionsOf } from '../../store/people/sessions-table.ts'
import { personActor } from '../audit/actor.ts'
import { recordAction } from '../audit/record-action.ts'
import { isId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import type { Caller } from '../../model/caller.ts'
import { decideEntry } from './decide-entry.ts'
import { secretHash } from './secret-hash.ts'
import { secondFactorRequired, ssoRequired } from './sign-in-refusals.ts'

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
  deps: { db: Db; clock: Clock; random: Random; oidc: Pick<OidcProvider, 'name'> | null },
  caller: Caller,
  input: { organizationId: string; token: string },
): Promise<void> {
  const { organizationId, token } = input
  const { userId } = caller
  const tokenHash = secretHash(token)
  if (!isId(organizationId)) throw noSuchOrganization()
  await deps.db.transaction().execute(async (tx) => {
    await requireEntry({ ...deps, tx }, { userId, organizationId, tokenHash })
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

/** The organization may require another way of signing in than that of the session. */
async function requireEntry(
  deps: { tx: Tx; oidc: Pick<OidcProvider, 'name'> | null },
  input: { userId: string; organizationId: string; tokenHash: Uint8Array },
): Promise<void> {
  const entry = decideEntry(await lockEntryPolicies(deps.tx, input), {
    method: (await findSessionMethod(deps.tx, input.tokenHash)) ?? null,
    hasSecondFactor: (await findSecondFactor(deps.tx, input.userId)) !== undefined,
    // The session was started with it, or before it was set up by the same person.
    isCodeVerified: true,
    isSsoAvailable: deps.oidc !== null,
  })
  if (entry.kind === 'sso') throw ssoRequired(deps.oidc!)
  if (entry.kind === 'set_up') throw secondFactorRequired()
}

const noSuchOrganization = () =>
  new Refusal('organization_not_found', 'There is no such organization, or you are no longer a member of it.')

/** The id is a part of the hash, from which the token cannot be derived. */
export const sessionId = (tokenHash: Uint8Array) => `session_${Buffer.from(tokenHash).toString('hex').slice(0, 24)}`
