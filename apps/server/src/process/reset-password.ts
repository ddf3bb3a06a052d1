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
 * The operator's way back in, for somebody who has forgotten the password where no mail can be sent: prints a link by
 * which that person chooses another. On the embedded store the service must be stopped meanwhile, since its folder has
 * one owner.
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
      if (!user) throw new ConfigError(`There is no account with the e-mail ${email} here.`)
      const deps = { db: store.db, clock, random, baseUrl: config.baseUrl }
      const url = await passwordResetUrl(deps, { user, by: { kind: 'operator' } })
      process.stdout.write(`For ${user.email}, once, within an hour:\n  ${url}\n`)
    } finally {
      await store.close()
    }
  } finally {
    await unlock()
  }
}
