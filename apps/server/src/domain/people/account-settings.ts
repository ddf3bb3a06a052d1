import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { findUser, type FoundUser } from '../../store/people/find-user-by-email.ts'
import { deleteUnusedLinks } from '../../store/people/person-links-table.ts'
import { deleteSessionsOf } from '../../store/people/sessions-table.ts'
import { changeUser } from '../../store/people/users-table.ts'
import { recordForAccount } from '../audit/record-action.ts'
import { Refusal } from '../refusal.ts'
import { sessionId } from './account-sessions.ts'
import type { Caller } from '../../model/caller.ts'
import { badInput } from './check-text.ts'
import { passwordStamp } from './known-devices.ts'
import { checkPersonName } from './organizations.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { secretHash } from './secret-hash.ts'
import type { SignInThrottle } from './sign-in-throttle.ts'

export interface Account {
  id: string
  name: string
  email: string
  /** False for someone who has only signed in through the OIDC provider. */
  hasPassword: boolean
}

export async function getAccount(deps: { db: Db }, caller: Caller): Promise<Account> {
  return present(await userOf(deps.db, caller))
}

export async function editAccount(
  deps: { db: Db; clock: Clock; random: Random },
  caller: Caller,
  change: { name?: string },
): Promise<Account> {
  if (change.name === undefined) return getAccount(deps, caller)
  const name = checkPersonName(change.name)
  return deps.db.transaction().execute(async (tx) => {
    const before = await userOf(tx, caller)
    if (name !== before.name) {
      await changeUser(tx, caller.userId, { name })
      const entry = { action: 'account.changed', details: { changes: { name: { before: before.name, after: name } } } } as const
      await recordForAccount({ ...deps, tx }, { kind: 'person', origin: caller.origin }, { ...entry, user: accountSubject(before) })
    }
    return present(await userOf(tx, caller))
  })
}

/**
 * Signs the person out everywhere else and invalidates pending password reset links. Guesses of the current password are limited
 * per session, so that failed sign-ins by others cannot keep a person from changing it. Returns the new password's stamp: the
 * device that changed it stays a known device, all others do not.
 */
export async function changePassword(
  deps: { db: Db; clock: Clock; random: Random; throttle: SignInThrottle },
  caller: Caller,
  input: { currentPassword: string; newPassword: string; token: string },
): Promise<{ passwordStamp: string }> {
  const user = await userOf(deps.db, caller)
  const { passwordHash: current } = user
  if (current === null) {
    throw new Refusal('forbidden', 'Your account has no password. Sign out, then request a link with “Forgot your password?”.')
  }
  const by = { sessionId: sessionId(secretHash(input.token)) }
  const { isRight } = await deps.throttle.attempt(by, () => verifyPassword(input.currentPassword, current))
  if (!isRight) throw badInput('/currentPassword', 'is not your password')
  const passwordHash = await hashPassword(deps, input.newPassword, '/newPassword')
  await deps.db.transaction().execute(async (tx) => {
    await changeUser(tx, caller.userId, { passwordHash })
    await deleteUnusedLinks(tx, caller.userId)
    await deleteSessionsOf(tx, { userId: caller.userId, exceptTokenHash: secretHash(input.token) })
    const by = { kind: 'person', origin: caller.origin } as const
    await recordForAccount({ ...deps, tx }, by, { action: 'password.changed', user: accountSubject(user) })
  })
  return { passwordStamp: passwordStamp(passwordHash) }
}

/** The name of the account in audit records. */
export const accountSubject = ({ id, email }: { id: string; email: string }) => ({ id, name: email })

async function userOf(db: Db, { userId }: Caller): Promise<FoundUser> {
  const user = await findUser(db, userId)
  if (!user) throw new Error('The caller does not exist.')
  return user
}

const present = ({ id, name, email, passwordHash }: FoundUser): Account => ({
  id,
  name,
  email,
  hasPassword: passwordHash !== null,
})
