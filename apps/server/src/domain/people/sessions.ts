import { keptMs } from '../../model/kept-times.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import { batchedLookup } from '../../store/batched-lookup.ts'
import type { OidcProvider } from '../../ports/oidc.ts'
import type { Db, Tx } from '../../store/db.ts'
import { inTransaction } from '../../store/in-transaction.ts'
import { findUser, findUserByEmail } from '../../store/people/find-user-by-email.ts'
import { lockEntryPolicies } from '../../store/people/entry-policies.ts'
import { openSession } from '../../store/people/open-session.ts'
import { readSessionCallers } from '../../store/people/read-session-callers.ts'
import { findSecondFactor } from '../../store/people/second-factors-table.ts'
import { deleteSession } from '../../store/people/sessions-table.ts'
import { removeExpiredSessions } from '../../store/people/remove-expired-sign-ins.ts'
import { withAccess } from '../access/read-access.ts'
import { personActor } from '../audit/actor.ts'
import { recordAction } from '../audit/record-action.ts'
import { recordFailedSignIn } from '../audit/record-failed-sign-in.ts'
import { Refusal } from '../refusal.ts'
import { sessionEnded, sessionId } from './account-sessions.ts'
import type { Caller, Origin } from '../../model/caller.ts'
import type { SignInMethod } from '../../model/people.ts'
import type { Sealer } from '../sealing.ts'
import { decideEntry } from './decide-entry.ts'
import { type KeptSignIn, keepSignIn } from './pending-sign-in.ts'
import type { PendingJobs } from './pending-jobs.ts'
import { type KnownDevices, passwordStamp } from './known-devices.ts'
import { notifyFailedSignIns } from './notify-failed-sign-ins.ts'
import { type PasswordDeps, unmatchableHash, verifyPassword } from './passwords.ts'
import { secretHash } from './secret-hash.ts'
import { ssoRequired } from './sign-in-refusals.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'
import { isToken, newToken } from './tokens.ts'
import type { UseRecorder } from '../../work/use-recorder.ts'

/**
 * A *session* is a person signed in to the pages, in one organization at a time. The browser keeps its *token*; the store keeps the
 * token's hash. It ends after 30 days, at sign-out, or with its membership, whichever comes first.
 */
const lifetimeMs = keptMs.sessions

/** Long enough for any real browser. */
const userAgentMaxCharacters = 300

export interface OpenedSession {
  token: string
  expiresAt: Date
  caller: Caller
  /** For the device cookie: binds it to the person's current password. */
  passwordStamp: string
}

export interface SessionDeps extends PasswordDeps {
  db: Db
  clock: Clock
  sealer: Sealer
  /** Null if the operator has not set up a provider. */
  oidc: Pick<OidcProvider, 'name'> | null
}

export interface SignInDeps extends SessionDeps {
  throttle: SignInThrottle
  knownDevices: KnownDevices
  pendingJobs: PendingJobs
}

/**
 * Opens a session in the organization the person joined first, or asks for the second factor. A wrong password and an unknown e-mail are rejected with the same
 * message after the same work and limited alike, so that neither reveals who has an account.
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
): Promise<OpenedSession | KeptSignIn> {
  const { email, password, userAgent, origin } = input
  const user = await findUserByEmail(deps.db, email.trim())
  const deviceId = deps.knownDevices.recognize(input.deviceCookie, user)
  // Use the account's own spelling, so that guesses with different spellings of the e-mail are counted together.
  const by = { account: user?.email ?? email, address: origin?.address ?? null, deviceId }
  const verify = () => verifyPassword(password, user?.passwordHash ?? unmatchableHash)
  const { isRight, strangerFailures } = await deps.throttle.attempt(by, verify)
  if (!user || !isRight) {
    // Done after the response: its timing must not reveal that there is an account.
    if (user) {
      deps.pendingJobs.start('recording a failed sign-in', async () => {
        await recordFailedSignIn(deps, { user, origin })
        // Without a password there is nothing to guess.
        if (user.passwordHash !== null) await notifyFailedSignIns(deps, { userId: user.id, strangerFailures })
      })
    }
    throw new Refusal('unauthenticated', 'The e-mail or the password is wrong. Check both and try again.')
  }
  return startSession(deps, { userId: user.id, userAgent, origin, method: 'password' })
}

interface Start {
  userId: string
  organizationId?: string | undefined
  userAgent?: string | undefined
  origin?: Origin | undefined
  /** How the person was identified. */
  method: SignInMethod
  /** The kind of code that was verified, or that the second factor was just set up. */
  secondFactor?: 'code' | 'recovery_code' | 'set_up'
}

/** For someone who has been identified as this person, by a password or otherwise. */
export async function startSession(deps: SessionDeps, input: Start): Promise<OpenedSession | KeptSignIn> {
  const { userId, organizationId, method } = input
  return inTransaction(deps.db, async (tx) => {
    const entry = decideEntry(await lockEntryPolicies(tx, { userId, organizationId }), {
      method,
      hasSecondFactor: (await findSecondFactor(tx, userId)) !== undefined,
      isCodeVerified: input.secondFactor !== undefined,
      isSsoAvailable: deps.oidc !== null,
    })
    const { passwordHash } = (await findUser(tx, userId))!
    const stamp = passwordStamp(passwordHash)
    if (entry.kind === 'open') return openIn({ ...deps, tx }, { ...input, organizationId: entry.organizationId, stamp })
    if (entry.kind === 'sso') throw ssoRequired(deps.oidc!)
    if (entry.kind === 'none') throw notAMember()
    return keepSignIn(deps, entry.kind, { userId, method, organizationId, passwordStamp: stamp })
  })
}

const notAMember = () => new Refusal('forbidden', 'You are no longer a member of any organization. Ask an admin to add you.')

async function openIn(
  deps: { tx: Tx; clock: Clock; random: Random },
  input: Start & { organizationId: string; stamp: string },
): Promise<OpenedSession> {
  const { userId, organizationId, origin, method, secondFactor } = input
  // The store accepts no NUL, whatever a browser sends.
  const userAgent = input.userAgent?.replaceAll('\0', '').slice(0, userAgentMaxCharacters) ?? null
  const token = newToken(deps.random)
  const createdAt = deps.clock.now()
  const expiresAt = new Date(createdAt.getTime() + lifetimeMs)
  const tokenHash = secretHash(token)
  const opened = await openSession(deps.tx, { tokenHash, userId, organizationId, userAgent, method, createdAt, expiresAt })
  if (!opened) throw notAMember()
  await recordAction(deps, personActor({ ...opened, userId, origin }), {
    action: 'session.started',
    subject: { type: 'session', id: sessionId(tokenHash), name: null },
    details: { method, userAgent, ...(secondFactor && { secondFactor }) },
  })
  return { token, expiresAt, caller: { ...opened, userId, triggerId: userId }, passwordStamp: input.stamp }
}

/** Does nothing if the token has no session. */
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

/** The caller of a token. Read for every request, so that a person removed from the organization is signed out at once. */
export function makeSessionReader(deps: { db: Db; clock: Clock; lastSeen: Pick<UseRecorder, 'note'> }) {
  const lookup = batchedLookup({
    read: (tokenHashes: string[]) => readSessionCallers(deps.db, { tokenHashes, now: deps.clock.now() }),
  })
  return async function sessionCaller(token: string): Promise<Caller | undefined> {
    if (!isToken(token)) return undefined
    const tokenHash = secretHash(token).toString('hex')
    const found = await lookup(tokenHash)
    if (!found) return undefined
    deps.lastSeen.note(tokenHash)
    const { hasAccessRules, viewedBy, ...member } = found
    const caller = { ...member, triggerId: member.userId, ...(viewedBy !== null && { viewedBy }) }
    return hasAccessRules ? withAccess(deps.db, caller) : caller
  }
}

/** Expired sessions are already invalid; this only frees their space. Removes one portion per call and returns its size. */
export function deleteExpiredSessions(deps: { db: Db; clock: Clock }, portion = 1000): Promise<number> {
  return removeExpiredSessions(deps.db, { now: deps.clock.now(), portion })
}
