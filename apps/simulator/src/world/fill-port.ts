import type { HistoryFillWorkerDeps } from '@querypost/server/background-work'
import type { PortOptions } from './engine-port.ts'

/** Runs a query for a past day, slowly; sometimes the query fails, or something else does. */
export function makeFillPort({ machine, chance, coverage, faults, work }: PortOptions): HistoryFillWorkerDeps['fillDay'] {
  return async ({ id, day, leaseNumber, attemptNumber }, signal) => {
    work.fillAttempts.set(`${id} ${day}`, attemptNumber)
    const fault = faults.meet(machine, 'fill.run')
    if (fault.crash === 'before') machine.die()
    await new Promise<void>((resolve) => void machine.later(chance.between(10, 90_000), resolve))
    signal.throwIfAborted()
    if (chance.isTrue(0.1)) {
      coverage.count('history fill: running fails')
      throw new Error('the service is away')
    }
    if (fault.crash === 'after') machine.die()
    const answers = work.fillAnswers.get(`${id} ${day}`) ?? new Set()
    work.fillAnswers.set(`${id} ${day}`, answers)
    if (chance.isTrue(0.1)) {
      answers.add('missed')
      return { state: 'missed', reason: `${day}: the query failed.` }
    }
    const runId = `run of ${day}, lease ${leaseNumber} of ${id}`
    answers.add(runId)
    return { state: 'filled', runId }
  }
}
