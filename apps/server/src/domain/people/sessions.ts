import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { batchedLookup } from '../../store/batched-lookup.ts'
import type { Db } from '../../store/db.ts'
import { inTransaction } from '../../store/in-transaction.ts'
import { findUser, findUserByEmail } from '../../store/people/find-user-by-email.ts'
import { openSession } from '../../store/people/open-session.ts'
import { readSessionCallers } from '../../store/people/read-session-callers.ts'
import { deleteSession } from '../../store/people/sessions-table.ts'
import { removeExpiredSessions } from '../../store/people/remove-expired-sign-ins.ts'
import { personActor } from '../audit/actor.ts'
import { recordAction } from '../audit/record-action.ts'
import { recordFailedSignIn } from '../audit/record-failed-sign-in.ts'
import { Refusal } from '../refusal.ts'
import { sessionEnded, sessionId } from './account-sessions.ts'
import type { Caller, Origin } from '../../model/caller.ts'
import type { PendingJobs } from './pending-jobs.ts'
import { type KnownDevices, passwordStamp } from './known-devices.ts'
import { notifyFailedSignIns } from './notify-failed-sign-ins.ts'
import { unmatchableHash, verifyPassword } from './passwords.ts'
import { secretHash } from './secret-hash.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'
import { isToken, newToken } from './tokens.ts'
import type { UseRecorder } from '../../work/use-recorder.ts'

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
  /** For the device cookie: binds it to the password that the person has now. */
  passwordStamp: string
}

export interface SignInDeps {
  db: Db
  clock: Clock
  random: Random
  throttle: SignInThrottle
  knownDevices: KnownDevices
  pendingJobs: PendingJobs
}

/**
 * Opens a session in the organization the person joined first. A wrong password and an e-mail nobody has are refused in
 * the same words after the same work, and limited alike, so that neither tells who has an account.
 */
export async function signIn(
  deps: SignInDeps,
  input: {
    email: string
    password: string
    deviceCookie?: string | undefined
    userAgent?: string | undefined
    origin?: Origin | undefined
  },
): Promise<OpenedSession> {
  const { email, password, userAgent, origin } = input
  const user = await findUserByEmail(deps.db, email.trim())
  const deviceId = deps.knownDevices.recognize(input.deviceCookie, user)
  // The account's own spelling: however the e-mail is written, its guesses are counted together.
  const by = { account: user?.email ?? email, address: origin?.address ?? null, deviceId }
  const verify = () => verifyPassword(password, user?.passwordHash ?? unmatchableHash)
  const { isRight, strangerFailures } = await deps.throttle.attempt(by, verify)
  if (!user || !isRight) {
    // Behind the answer's back: how long it takes must not tell that there is an account to record it of.
    if (user) {
      deps.pendingJobs.start('record a failed sign-in', async () => {
        await recordFailedSignIn(deps, { user, origin })
        // There is nothing to guess where there is no password.
        if (user.passwordHash !== null) await notifyFailedSignIns(deps, { userId: user.id, strangerFailures })
      })
    }
    throw new Refusal('unauthenticated', 'The e-mail or the password is wrong. Check both and try again.')
  }
  return startSession(deps, { userId: user.id, userAgent, origin, method: 'password' })
}

/** For whoever has been found to be this person, by a password or otherwise. */
export async function startSession(
  deps: { db: Db; clock: Clock; random: Random },
  input: {
    userId: string
    organizationId?: string
    userAgent?: string | undefined
    origin?: Origin | undefined
    /** How it was found out who it is. */
    method: 'password' | 'oidc' | 'invitation' | 'password_reset' | 'welcome'
  },
): Promise<OpenedSession> {
  const { userId, organizationId, origin } = input
  // Whatever a browser calls itself, the store takes no NUL.
  const userAgent = input.userAgent?.replaceAll('\0', '').slice(0, userAgentMaxCharacters) ?? null
  const token = newToken(deps.random)
  const createdAt = deps.clock.now()
  const expiresAt = new Date(createdAt.getTime() + lifetimeMs)
  const tokenHash = secretHash(token)
  const member = await inTransaction(deps.db, async (tx) => {
    const opened = await openSession(tx, { tokenHash, userId, organizationId, userAgent, createdAt, expiresAt })
    if (!opened) {
      throw new Refusal('forbidden', 'You are not a member of an organization any more. Ask one of its admins to add you.')
    }
    await recordAction({ ...deps, tx }, personActor({ ...opened, userId, origin }), {
      action: 'session.started',
      subject: { type: 'session', id: sessionId(tokenHash), name: null },
      details: { method: input.method, userAgent },
    })
    const { passwordHash } = (await findUser(tx, userId))!
    return { ...opened, stamp: passwordStamp(passwordHash) }
  })
  const { stamp, ...membership } = member
  return { token, expiresAt, caller: { ...membership, userId, triggerId: userId }, passwordStamp: stamp }
}

/** A token that opens nothing is signed out already. */
export async function signOut(
  deps: { db: Db; clock: Clock; random: Random },
  token: string,
  origin?: Origin,
): Promise<void> {
  const tokenHash = secretHash(token)
  await deps.db.transaction().execute(async (tx) => {
    const ended = await deleteSession(tx, tokenHash)
    if (ended) await recordAction({ ...deps, tx }, personActor({ ...ended, origin }), sessionEnded(tokenHash))
  })
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

/** Expired sessions open nothing; this only gives their space back. Returns how many it removed, one portion at a call. */
export function deleteExpiredSessions(deps: { db: Db; clock: Clock }, portion = 1000): Promise<number> {
  return removeExpiredSessions(deps.db, { now: deps.clock.now(), portion })
}
