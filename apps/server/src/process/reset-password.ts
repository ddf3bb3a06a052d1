import { passwordResetUrl } from '../domain/people/password-reset.ts'
import type { Random } from '../ports/random.ts'
import { ConfigError } from '../settings/config.ts'
import { findUserByEmail } from '../store/people/find-user-by-email.ts'
import { type StoreUser, withStore } from './with-store.ts'

/** Prints a link with which a person can choose a new password. For operators of a service that cannot send e-mail. */
export function resetPasswordOnce(options: StoreUser & { email: string; random: Random }): Promise<void> {
  const { config, email, clock, random } = options
  return withStore(options, async ({ db }) => {
    const user = await findUserByEmail(db, email)
    if (!user) throw new ConfigError(`There is no account with the e-mail address ${email}.`)
    const url = await passwordResetUrl({ db, clock, random, baseUrl: config.baseUrl }, { user, by: { kind: 'operator' } })
    process.stdout.write(`Password reset link for ${user.email} (works once, within an hour):\n  ${url}\n`)
  })
}
