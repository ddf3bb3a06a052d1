import path from 'node:path'
import { finishRestore } from '../backup/put-in-place.ts'
import { type Config, ConfigError } from '../settings/config.ts'
import { lockDataDirectory, prepareDataDirectory } from '../settings/data-directory.ts'
import { passwordResetUrl } from '../domain/people/password-reset.ts'
import type { Clock } from '../ports/clock.ts'
import { openLog } from '../ports/log.ts'
import type { Random } from '../ports/random.ts'
import { openEmbedded, openPostgres } from '../store/db.ts'
import { migrate } from '../store/migrate.ts'
import { findUserByEmail } from '../store/people/find-user-by-email.ts'

/**
 * Prints a link for choosing a new password, for services that can't send e-mail. With the embedded store the service must be stopped,
 * because only one process can use its folder.
 */
export async function resetPasswordOnce(options: {
  config: Config
  email: string
  clock: Clock
  random: Random
  processId: number
}): Promise<void> {
  const { config, email, clock, random } = options
  await prepareDataDirectory(config.dataDirectory)
  await finishRestore(config.dataDirectory, options.processId)
  const unlock = config.databaseUrl ? async () => {} : await lockDataDirectory(config.dataDirectory, options.processId)
  try {
    const store = config.databaseUrl
      ? await openPostgres({ url: config.databaseUrl, clock, log: openLog({ level: 'error' }) })
      : await openEmbedded({ folder: path.join(config.dataDirectory, 'store'), onFirstStart: () => {} })
    try {
      await migrate({ db: store.db, clock })
      const user = await findUserByEmail(store.db, email)
      if (!user) throw new ConfigError(`There is no account with the e-mail ${email}.`)
      const deps = { db: store.db, clock, random, baseUrl: config.baseUrl }
      const url = await passwordResetUrl(deps, { user, by: { kind: 'operator' } })
      process.stdout.write(`Password reset link for ${user.email} (works once, within an hour):\n  ${url}\n`)
    } finally {
      await store.close()
    }
  } finally {
    await unlock()
  }
}
