import type { Config } from './config.ts'
import { type Bootstrapped, bootstrapPeople } from './domain/people/bootstrap.ts'
import { seedSample } from './sample/seed.ts'
import type { Services } from './services.ts'
import { findUnseededAdmin } from './store/people/find-unseeded-admin.ts'

export interface FirstStartProgress {
  seeding(): void
}

/**
 * Makes the first organization, its admin and key where there is none, and fills it with the sample. A start that was
 * interrupted between the two is made up for by the next.
 */
export async function firstStart(
  services: Services,
  bootstrap: Config['bootstrap'],
  progress: FirstStartProgress,
): Promise<Bootstrapped | undefined> {
  const bootstrapped = await bootstrapPeople(services, {
    email: bootstrap.email,
    ...(bootstrap.password !== null && { password: bootstrap.password }),
    ...(bootstrap.apiKey !== null && { apiKey: bootstrap.apiKey }),
  })
  const admin = bootstrapped?.caller ?? (await findUnseededAdmin(services.db))
  if (admin) {
    progress.seeding()
    await seedSample(services, admin)
  }
  return bootstrapped
}
