import type { Clock } from '../../ports/clock.ts'
import type { Mail } from '../../ports/mail.ts'
import type { Random } from '../../ports/random.ts'
import type { Db } from '../../store/db.ts'
import { findUser, findUserByEmail } from '../../store/people/find-user-by-email.ts'
import { countLinks, deleteUnusedLinks } from '../../store/people/person-links-table.ts'
import { deleteSessionsOf } from '../../store/people/sessions-table.ts'
import { changeUser } from '../../store/people/users-table.ts'
import { recordOfAccount } from '../audit/record-action.ts'
import { newId } from '../ids.ts'
import { Refusal } from '../refusal.ts'
import { named } from './account-settings.ts'
import type { Origin } from '../../model/caller.ts'
import type { PendingJobs } from './pending-jobs.ts'
import { passwordResetLetter, sendLetter } from './people-letters.ts'
import { linkUrl, makeLink, readLink, useLink } from './person-links.ts'
import { hashPassword } from './passwords.ts'
import { type OpenedSession, startSession } from './sessions.ts'

const purpose = 'password_reset'

/** Nobody's mailbox is filled by somebody else's impatience. */
const lettersPerHourMax = 3
const hourMs = 3600_000

interface Deps {
  db: Db
  clock: Clock
  random: Random
  baseUrl: string
}

/** The answer is the same, and comes as soon, whether the address has an account or not. */
export async function requestPasswordReset(
  deps: Deps & { mail: Mail | null; pendingJobs: PendingJobs },
  { email, origin }: { email: string; origin?: Origin | undefined },
): Promise<void> {
  const { mail } = deps
  if (!mail) {
    throw new Refusal('forbidden', 'This service sends no e-mails. Ask whoever operates it for a link to a new password.')
  }
  deps.pendingJobs.start('send a link for a new password', async () => {
    const user = await findUserByEmail(deps.db, email.trim())
    if (!user) return
    const createdAfter = new Date(deps.clock.now().getTime() - hourMs)
    if ((await countLinks(deps.db, { userId: user.id, purpose, createdAfter })) >= lettersPerHourMax) return
    const url = await passwordResetUrl(deps, { user, by: { kind: 'anonymous', origin } })
    const letter = passwordResetLetter({ id: newId(deps.random, 'ntf'), to: user.email, url })
    const fault = await sendLetter({ clock: deps.clock, mail }, letter)
    if (fault !== null) throw new Error(`The mail server did not take the letter: ${fault}`)
  })
}

/** Who asks for it may be anybody who knows the address, or whoever operates the service. */
export async function passwordResetUrl(
  deps: Deps,
  input: { user: { id: string; email: string }; by: { kind: 'anonymous' | 'operator'; origin?: Origin | undefined } },
): Promise<string> {
  const { user, by } = input
  const { token } = await deps.db.transaction().execute(async (tx) => {
    await recordOfAccount({ ...deps, tx }, by, { action: 'password.reset_requested', user: named(user) })
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

/** Whoever else was signed in as this person is out. */
export async function resetPassword(
  deps: { db: Db; clock: Clock; random: Random },
  input: { token: string; password: string; userAgent?: string | undefined; origin?: Origin | undefined },
): Promise<OpenedSession> {
  const { token, userAgent, origin } = input
  await readLink(deps, { token, purpose })
  const passwordHash = await hashPassword(deps.random, input.password)
  const userId = await deps.db.transaction().execute(async (tx) => {
    const used = await useLink({ tx, clock: deps.clock }, { token, purpose })
    await changeUser(tx, used.userId, { passwordHash })
    await deleteUnusedLinks(tx, used.userId)
    await deleteSessionsOf(tx, { userId: used.userId })
    const user = named((await findUser(tx, used.userId))!)
    await recordOfAccount({ ...deps, tx }, { kind: 'person', origin }, { action: 'password.reset', user })
    return used.userId
  })
  return startSession(deps, { userId, userAgent, origin, method: 'password_reset' })
}
