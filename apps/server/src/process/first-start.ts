import type { Config } from '../settings/config.ts'
import { runAutomation } from '../domain/automations/run-automation.ts'
import { type Bootstrapped, bootstrapPeople } from '../domain/people/bootstrap.ts'
import type { Caller } from '../model/caller.ts'
import { seedSample } from '../sample/seed.ts'
import type { Services } from './make-services.ts'
import { isAgentRunOver } from '../store/agent-runs/is-agent-run-over.ts'
import { findUnseededAdmin } from '../store/people/find-unseeded-admin.ts'

/**
 * Makes the first organization, its admin and key where there is none, and fills it with the sample. A start that was
 * interrupted between the two is made up for by the next.
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

const lookEveryMs = 50
const patienceMs = 20_000

/**
 * Runs the sample automation for the first time and waits for it, so that whoever opens the pages finds a finished run, and nobody
 * meets a query that is busy for a reason they do not know. One that takes too long goes on without an audience.
 *
 * For a process that does everything: where the work is divided, people would meet the run, or its event, at a time of its own.
 */
export async function runSample(services: Services, { admin, automationId }: Sample): Promise<void> {
  const { db, clock } = services
  const { id: runId } = await runAutomation(services, admin, automationId, { trigger: 'person' })
  const giveUpMs = clock.monotonicMs() + patienceMs
  while (!(await isAgentRunOver(db, runId)) && clock.monotonicMs() < giveUpMs) await clock.sleep(lookEveryMs)
}
