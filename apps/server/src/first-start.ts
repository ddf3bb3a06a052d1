import type { Config } from './config.ts'
import { type Bootstrapped, bootstrapPeople } from './domain/people/bootstrap.ts'
import { seedSample } from './sample/seed.ts'
import type { Services } from './services.ts'
import { isAgentRunOver } from './store/agent-runs/is-agent-run-over.ts'
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
): Promise<{ bootstrapped: Bootstrapped | undefined; sampleRunId: string | undefined }> {
  const bootstrapped = await bootstrapPeople(services, {
    email: bootstrap.email,
    ...(bootstrap.password !== null && { password: bootstrap.password }),
    ...(bootstrap.apiKey !== null && { apiKey: bootstrap.apiKey }),
  })
  const admin = bootstrapped?.caller ?? (await findUnseededAdmin(services.db))
  if (!admin) return { bootstrapped, sampleRunId: undefined }
  progress.seeding()
  const { agentRunId } = await seedSample(services, admin)
  return { bootstrapped, sampleRunId: agentRunId }
}

const lookEveryMs = 50
const patienceMs = 20_000

/**
 * Waits for the sample's first run, so that whoever opens the pages finds a finished one, and nobody meets a query that is busy
 * for no reason they know. A run that takes too long goes on without an audience.
 */
export async function waitForSampleRun({ db, clock }: Pick<Services, 'db' | 'clock'>, runId: string): Promise<void> {
  const giveUpMs = clock.monotonicMs() + patienceMs
  while (!(await isAgentRunOver(db, runId)) && clock.monotonicMs() < giveUpMs) await clock.sleep(lookEveryMs)
}
