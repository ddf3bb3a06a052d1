import type { Config } from '../settings/config.ts'
import { refreshBoard } from '../domain/boards/refresh-board.ts'
import { runAutomation } from '../domain/automations/run-automation.ts'
import { type Bootstrapped, bootstrapPeople } from '../domain/people/bootstrap.ts'
import type { Caller } from '../model/caller.ts'
import { seedSample } from '../sample/seed.ts'
import type { Services } from './make-services.ts'
import { isAgentRunOver } from '../store/agent-runs/is-agent-run-over.ts'
import { findUnseededAdmin } from '../store/people/find-unseeded-admin.ts'

/**
 * Creates the first organization with its admin and API key if there is none, and seeds it with the sample. If a start is
 * interrupted between the two, the next start seeds the sample.
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
  const { automationId, boardShortId } = await seedSample(services, admin)
  return { bootstrapped, sample: { admin, automationId, boardShortId } }
}

export interface Sample {
  admin: Caller
  automationId: string
  boardShortId: string
}

const pollEveryMs = 50
const waitMaxMs = 20_000

/**
 * Runs the sample automation once and waits for it, so that the first visitor finds a finished report and no query that is
 * unexpectedly busy. After `waitMaxMs` the start no longer waits, and the run continues in the background. Then it starts the queries of
 * the sample board, which take less time than signing in.
 *
 * Only for `ROLE=all`: with separate workers, the run and its event would happen at an unpredictable time.
 */
export async function runSample(services: Services, { admin, automationId, boardShortId }: Sample): Promise<void> {
  const { db, clock } = services
  const { id: runId } = await runAutomation(services, admin, automationId, { trigger: 'person' })
  const deadlineMs = clock.monotonicMs() + waitMaxMs
  while (!(await isAgentRunOver(db, runId)) && clock.monotonicMs() < deadlineMs) await clock.sleep(pollEveryMs)
  await refreshBoard(services, admin, { shortId: boardShortId })
}
