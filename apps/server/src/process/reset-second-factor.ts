import { resetSecondFactorAsOperator } from '../domain/people/reset-second-factor.ts'
import type { Random } from '../ports/random.ts'
import { ConfigError } from '../settings/config.ts'
import { findUserByEmail } from '../store/people/find-user-by-email.ts'
import { type StoreUser, withStore } from './with-store.ts'

/** Lets a person in who has lost the second factor and the recovery codes. */
export function resetSecondFactorOnce(options: StoreUser & { email: string; random: Random }): Promise<void> {
  const { email, clock, random } = options
  return withStore(options, async ({ db }) => {
    const user = await findUserByEmail(db, email)
    if (!user) throw new ConfigError(`There is no account with the e-mail address ${email}.`)
    const isReset = await resetSecondFactorAsOperator({ db, clock, random }, user)
    const answer = isReset
      ? `Removed the second factor of ${user.email}. All sessions of the account have ended.`
      : `${user.email} has no second factor. Nothing was changed.`
    process.stdout.write(`${answer}\n`)
  })
}
