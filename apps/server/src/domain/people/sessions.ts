import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { batchedLookup } from '../../store/batched-lookup.ts'
import type { Db } from '../../store/db.ts'
import { findUserByEmail } from '../../store/people/find-user-by-email.ts'
import { openSession } from '../../store/people/open-session.ts'
import { readSessionCallers } from '../../store/people/read-session-callers.ts'
import { Refusal } from '../refusal.ts'
import type { Caller } from './caller.ts'
import { unmatchableHash, verifyPassword } from './passwords.ts'
import { secretHash } from './secret-hash.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'
import { isToken, newToken } from './tokens.ts'
import type { UseRecorder } from './use-recorder.ts'

/**
 * A *session* is a person signed in at the pages, in one organization at a time. The browser keeps its *token*; the store
 * keeps the token's hash. It ends after 30 days, at sign-out, or with the membership it belongs to, whichever comes first.
 */
const lifetimeMs = 30 * 24 * 60 * 60_000

/** Long enough for every browser's; what is longer says nothing more. */
const userAgentMaxCharacters = 300

export interface OpenedSession {
  token: string
  expiresAt: Date
  caller: Caller
}

/**
 * Opens a session in the organization the person joined first. A wrong password and an e-mail nobody has are refused in
 * the same words after the same work, so that neither tells who has an account.
 */
export async function signIn(
  deps: { db: Db; clock: Clock; random: Random; throttle: SignInThrottle },
  { email, password, userAgent }: { email: string; password: string; userAgent?: string | undefined },
): Promise<OpenedSession> {
  const user = await findUserByEmail(deps.db, email.trim())
  const isRight = await deps.throttle.attempt(email, () => verifyPassword(password, user?.passwordHash ?? unmatchableHash))
  if (!user || !isRight) {
    throw new Refusal('unauthenticated', 'The e-mail or the password is wrong. Check both and try again.')
  }
  return startSession(deps, { userId: user.id, userAgent })
}

/** For whoever has been found to be this person, by a password or otherwise. */
export async function startSession(
  deps: { db: Db; clock: Clock; random: Random },
  { userId, organizationId, userAgent }: { userId: string; organizationId?: string; userAgent?: string | undefined },
): Promise<OpenedSession> {
  const token = newToken(deps.random)
  const createdAt = deps.clock.now()
  const expiresAt = new Date(createdAt.getTime() + lifetimeMs)
  const member = await openSession(deps.db, {
    tokenHash: secretHash(token),
    userId,
    organizationId,
    // Whatever a browser calls itself, the store takes no NUL.
    userAgent: userAgent?.replaceAll('\0', '').slice(0, userAgentMaxCharacters) ?? null,
    createdAt,
    expiresAt,
  })
  if (!member) {
    throw new Refusal('forbidden', 'You are not a member of an organization any more. Ask one of its admins to add you.')
  }
  return { token, expiresAt, caller: { ...member, userId, triggerId: userId } }
}

/** A token that opens nothing is signed out already. */
export async function signOut(deps: { db: Db }, token: string): Promise<void> {
  await deps.db.deleteFrom('sessions').where('token_hash', '=', secretHash(token)).execute()
}

/** The caller a token stands for, read anew each time: a person removed from the organization is out at once. */
export function makeSessionReader(deps: { db: Db; clock: Clock; lastSeen: Pick<UseRecorder, 'note'> }) {
  const lookup = batchedLookup({
    read: (tokenHashes: string[]) => readSessionCallers(deps.db, { tokenHashes, now: deps.clock.now() }),
  })
  return async function sessionCaller(token: string): Promise<Caller | undefined> {
    if (!isToken(token)) return undefined
    const tokenHash = secretHash(token).toString('hex')
    const member = await lookup(tokenHash)
    if (member) deps.lastSeen.note(tokenHash)
    return member && { ...member, triggerId: member.userId }
  }
}

/** Expired sessions open nothing; this only gives their room back. Returns how many there were. */
export async function deleteExpiredSessions(deps: { db: Db; clock: Clock }): Promise<number> {
  const { numDeletedRows } = await deps.db
    .deleteFrom('sessions')
    .where('expires_at', '<=', deps.clock.now())
    .executeTakeFirst()
  return Number(numDeletedRows)
}
