import { restartAgentRun } from '../domain/agent-runs/restart-agent-run.ts'
import { endAgentRun, type Ending, type EndingDeps } from '../domain/agent-runs/end-agent-run.ts'
import { type ClaimedAgentRun, claimAgentRuns } from '../store/agent-runs/claim-agent-runs.ts'
import { findExpiredAgentRuns, readAgentRunStops, renewAgentRunLeases } from '../store/agent-runs/agent-run-leases.ts'
import type { Item } from '../work/kind.ts'

/** What the agent run worker needs from a store. There are two: SQL, and the simulator's in-memory store. */
export interface AgentRunStore {
  claim(options: {
    workerId: string
    leaseMs: number
    count: number
    /** How many more runs of each organization this worker takes. Organizations that are not listed have `roomOfOthers`. */
    rooms: Map<string, number>
    roomOfOthers: number
  }): Promise<ClaimedAgentRun[]>
  renew(options: { workerId: string; leases: Item[]; leaseMs: number }): Promise<ReadonlySet<string>>
  readStops(options: { workerId: string; leases: Item[] }): Promise<{ id: string; userId: string; by: string }[]>
  /** False when the lease was lost. */
  end(held: Item & { workerId: string }, ending: Ending): Promise<boolean>
  /** Gives the run back for another worker to start over; undefined when the lease was lost. */
  giveBack(held: Item & { workerId: string }): Promise<'pending' | 'failed' | undefined>
  /** Restarts the runs of workers that died, or fails those that have used all attempts. */
  recover(): Promise<{ id: string; became: 'pending' | 'failed' }[]>
}

const recoveredAtOnce = 100

const heldBy = ({ workerId, leaseNumber }: Item & { workerId: string }) => ({ status: 'held', workerId, leaseNumber }) as const

export function makeSqlAgentRunStore(deps: EndingDeps): AgentRunStore {
  const { db } = deps
  return {
    claim: (options) => claimAgentRuns(db, options),
    renew: (options) => renewAgentRunLeases(db, options),
    readStops: (options) => readAgentRunStops(db, options),
    end: (held, ending) => endAgentRun(deps, { runId: held.id, while: heldBy(held), ending }),
    giveBack: (held) => restartAgentRun(deps, { runId: held.id, while: heldBy(held), why: 'shutdown' }),
    async recover() {
      const recovered: { id: string; became: 'pending' | 'failed' }[] = []
      for (const id of await findExpiredAgentRuns(db, { count: recoveredAtOnce })) {
        const became = await restartAgentRun(deps, { runId: id, while: { status: 'abandoned' }, why: 'died' })
        if (became) recovered.push({ id, became })
      }
      return recovered
    },
  }
}
