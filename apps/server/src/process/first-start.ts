import type { Config } from '../settings/config.ts'
import { runAutomation } from '../domain/automations/run-automation.ts'
import { type Bootstrapped, bootstrapPeople } from '../domain/people/bootstrap.ts'
import type { Caller } from '../model/caller.ts'
import { seedSample } from '../sample/seed.ts'
import type { Services } from './make-services.ts'
import { isAgentRunOver } from '../store/agent-runs/is-agent-run-over.ts'
import { findUnseededAdmin } from '../store/people/find-unseeded-admin.ts'

/**
 * Creates the first organization with its admin and key if there is none, and adds the sample. If the start is interrupted in between, the
 * next one adds the sample.
 */
export async function firstStart(
  services: Services,
  bootstrap: Config['bootstrap'],
  { onSeeding }: { onSeeding(): void },
): Promise<{ bootstrapped: Bootstrapped | undefined; sample: Sample | undefined }> {
  const bootstrapped = await bootstrapPeople(services, {
    email: bootstrap.email,
    ...(bootstrap.password !== null && { password: bootstrap.password }),
    ...(bootstrap.apiKey !== null && { apiKey: bootstrap.apiKey }),
  })
  const admin = bootstrapped?.caller ?? (await findUnseededAdmin(services.db))
  if (!admin) return { bootstrapped, sample: undefined }
  onSeeding()
  const { automationId } = await seedSample(services, admin)
  return { bootstrapped, sample: { admin, automationId } }
}

export interface Sample {
  admin: Caller
  automationId: string
}

const pollMs = 50
const timeoutMs = 20_000

/**
 * Runs the sample automation and waits for it, so that the first visitor finds a finished run and no query that is busy for an unknown
 * reason. A run that takes too long continues in the background.
 *
 * Only for a process with all roles. With separate workers, the run and its event would appear at an unpredictable time.
 */
export async function runSample(services: Services, { admin, automationId }: Sample): Promise<void> {
  const { db, clock } = services
  const { id: runId } = await runAutomation(services, admin, automationId, { trigger: 'person' })
  const giveUpMs = clock.monotonicMs() + timeoutMs
  while (!(await isAgentRunOver(db, runId)) && clock.monotonicMs() < giveUpMs) await clock.sleep(pollMs)
}
