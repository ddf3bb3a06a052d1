import type { Config } from '../settings/config.ts'
import { runAutomation } from '../domain/automations/run-automation.ts'
import { type Bootstrapped, bootstrapPeople } from '../domain/people/bootstrap.ts'
import type { Caller } from '../model/caller.ts'
import { seedSample } from '../sample/seed.ts'
import type { Services } from './make-services.ts'
import { isAgentRunOver } from '../store/agent-runs/is-agent-run-over.ts'
import { findUnseededAdmin } from '../store/people/find-unseeded-admin.ts'

export interface FirstStartProgress {
  seeding(): void
}

/**
 * Creates the first organization with its admin and API key if there is none, and seeds it with the sample. If a start is
 * interrupted between the two, the next start seeds the sample.
 */
export async function firstStart(
  services: Services,
  bootstrap: Config['bootstrap'],
  progress: FirstStartProgress,
): Promise<{ bootstrapped: Bootstrapped | undefined; sample: Sample | undefined }> {
  const bootstrapped = await bootstrapPeople(services, {
    email: bootstrap.email,
    ...(bootstrap.password !== null && { password: bootstrap.password }),
    ...(bootstrap.apiKey !== null && { apiKey: bootstrap.apiKey }),
  })
  const admin = bootstrapped?.caller ?? (await findUnseededAdmin(services.db))
  if (!admin) return { bootstrapped, sample: undefined }
  progress.seeding()
  const { automationId } = await seedSample(services, admin)
  return { bootstrapped, sample: { admin, automationId } }
}

export interface Sample {
  admin: Caller
  automationId: string
}

const pollEveryMs = 50
const waitMaxMs = 20_000

/**
 * Runs the sample automation once and waits for it, so that the first visitor finds a finished report and no query that is
 * unexpectedly busy. After `waitMaxMs` the start no longer waits, and the run continues in the background.
 *
 * Only for `ROLE=all`: with separate workers, the run and its event would happen at an unpredictable time.
 */
export async function runSample(services: Services, { admin, automationId }: Sample): Promise<void> {
  const { db, clock } = services
  const { id: runId } = await runAutomation(services, admin, automationId, { trigger: 'person' })
  const deadlineMs = clock.monotonicMs() + waitMaxMs
  while (!(await isAgentRunOver(db, runId)) && clock.monotonicMs() < deadlineMs) await clock.sleep(pollEveryMs)
}
