import type { FeedWorkerDeps } from '@querypost/server/background-work'
import type { MemoryWork } from '../store/memory-work.ts'
import type { PortOptions } from './engine-port.ts'

/** The content of a run's result. Few are different, so that results are often equal to the one before. */
export const contentOf = (resultHash: string) => `content ${Number(/\d+(?= rows)/.exec(resultHash)![0]) % 3}`

/** Compares results, slowly; sometimes it fails. */
export function makeFeedPort({ machine, chance, coverage, faults, tables }: PortOptions & { tables: MemoryWork }): FeedWorkerDeps['advanceFeed'] {
  return async ({ head, next }, signal) => {
    const fault = faults.meet(machine, 'feed.compare')
    if (fault.crash === 'before') machine.die()
    await new Promise<void>((resolve) => void machine.later(chance.between(10, 90_000), resolve))
    signal.throwIfAborted()
    if (chance.isTrue(0.1)) {
      coverage.count('change feed: comparing fails')
      throw new Error('the results could not be compared')
    }
    if (fault.crash === 'after') machine.die()
    if (!tables.keptResults.has(next.runId)) return { state: 'passed', reason: 'The result was not kept.', problem: 'result_not_kept' }
    const to = { runId: next.runId, resultHash: contentOf(tables.runs.get(next.runId)!.resultHash!), rowCount: 1 }
    if (!head) return { state: 'started', to, keyColumns: ['id'], problem: null }
    if (head.resultHash === to.resultHash) return { state: 'unchanged', to }
    const keys = { keyColumns: ['id'], nextKeyColumns: ['id'], isKeyUnique: true, isReplacement: false, problem: null }
    return { state: 'changed', to: { ...to, at: new Date(0) }, comparison: { ...keys, added: 1, removed: 1, changed: 0, sampleRows: [] } }
  }
}
