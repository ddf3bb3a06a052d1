import type { Clock } from '../../ports/clock.ts'
import type { Mail } from '../../ports/mail.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { findUser, findUserByEmail } from '../../store/people/find-user-by-email.ts'
import { countLinks, deleteUnusedLinks } from '../../store/people/person-links-table.ts'
import { deleteSessionsOf } from '../../store/people/sessions-table.ts'
import { changeUser } from '../../store/people/users-table.ts'
import { recordForAccount } from '../audit/record-action.ts'
import { newId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import { accountSubject } from './account-settings.ts'
import type { Origin } from '../../model/caller.ts'
import type { PendingJobs } from './pending-jobs.ts'
import type { KeptSignIn } from './pending-sign-in.ts'
import { passwordResetEmail, sendEmail } from './people-emails.ts'
import { linkUrl, makeLink, readLink, useLink } from './person-links.ts'
import { hashPassword } from './passwords.ts'
import { type OpenedSession, type SessionDeps, startSession } from './sessions.ts'

const purpose = 'password_reset'

/** Keeps anyone from flooding another person's mailbox. */
const emailsPerHourMax = 3
const hourMs = 3600_000

interface Deps {
  db: Db
  clock: Clock
  random: Random
  baseUrl: string
}

/** The response and its timing are the same whether or not the address has an account. */
export async function requestPasswordReset(
  deps: Deps & { mail: Mail | null; pendingJobs: PendingJobs },
  { email, origin }: { email: string; origin?: Origin | undefined },
): Promise<void> {
  const { mail } = deps
  if (!mail) {
    throw new Refusal('forbidden', 'E-mail is not set up. Ask your administrator for a password reset link.')
  }
  deps.pendingJobs.start('sending a password reset link', async () => {
    const user = await findUserByEmail(deps.db, email.trim())
    if (!user) return
    const createdAfter = new Date(deps.clock.now().getTime() - hourMs)
    if ((await countLinks(deps.db, { userId: user.id, purpose, createdAfter })) >= emailsPerHourMax) return
    const url = await passwordResetUrl(deps, { user, by: { kind: 'anonymous', origin } })
    const message = passwordResetEmail({ id: newId(deps.random, 'ntf'), to: user.email, url })
    const fault = await sendEmail({ clock: deps.clock, mail }, message)
    if (fault !== null) throw new Error(`The mail server rejected the e-mail: ${fault}`)
  })
}

/** Requested by anyone who knows the address, or by the operator. */
export async function passwordResetUrl(
  deps: Deps,
  input: { user: { id: string; email: string }; by: { kind: 'anonymous' | 'operator'; origin?: Origin | undefined } },
): Promise<string> {
  const { user, by } = input
  const { token } = await deps.db.transaction().execute(async (tx) => {
    await recordForAccount({ ...deps, tx }, by, { action: 'password.reset_requested', user: accountSubject(user) })
    return makeLink({ ...deps, db: tx }, { userId: user.id, purpose })
  })
  return linkUrl({ baseUrl: deps.baseUrl, purpose, token })
}

export async function readPasswordReset(
  deps: { db: Db; clock: Clock },
  { token }: { token: string },
): Promise<{ email: string }> {
  const { userId } = await readLink(deps, { token, purpose })
  return { email: (await findUser(deps.db, userId))!.email }
}

/** Also signs out everyone who was signed in as this person. */
export async function resetPassword(
  deps: SessionDeps,
  input: { token: string; password: string; userAgent?: string | undefined; origin?: Origin | undefined },
): Promise<OpenedSession | KeptSignIn> {
  const { token, userAgent, origin } = input
  await readLink(deps, { token, purpose })
  const passwordHash = await hashPassword(deps, input.password)
  const userId = await deps.db.transaction().execute(async (tx) => {
    const used = await useLink({ tx, clock: deps.clock }, { token, purpose })
    await changeUser(tx, used.userId, { passwordHash })
    await deleteUnusedLinks(tx, used.userId)
    await deleteSessionsOf(tx, { userId: used.userId })
    const user = accountSubject((await findUser(tx, used.userId))!)
    await recordForAccount({ ...deps, tx }, { kind: 'person', origin }, { action: 'password.reset', user })
    return used.userId
  })
  return startSession(deps, { userId, userAgent, origin, method: 'password_reset' })
}
