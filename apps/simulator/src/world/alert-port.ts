import type { AlertWork } from '@querypost/server/background-work'
import type { MemoryAlerts, WaitingAlert } from '../store/memory-alerts.ts'
import type { MemoryRun, MemoryWork } from '../store/memory-work.ts'
import type { PortOptions } from './engine-port.ts'
import type { CallStore } from './store-calls.ts'

/** The figure that alerts watch. Small, so that it often crosses a limit. */
export const figureOf = ({ resultHash }: Pick<MemoryRun, 'resultHash'>) => Number(/\d+(?= rows)/.exec(resultHash!)![0]) / 10

/** As a result with other parameter values. It has no effect on alerts. */
export const answersAnotherQuestion = (run: Pick<MemoryRun, 'resultHash' | 'status'>) => run.status === 'completed' && figureOf(run) === 4

/** The alerts of one machine. Reading a result is slow and sometimes fails. */
export function makeAlertPort(options: PortOptions & { call: CallStore; store: MemoryAlerts; tables: MemoryWork }): AlertWork<WaitingAlert> {
  const { machine, chance, coverage, faults, call, store, tables } = options
  /** A broken store announces in the transaction after the change. */
  const andLeftOver = async <Result>(result: Result): Promise<Result> => {
    if (store.hasLeftOver()) await call('store.alerts.record', () => store.finishStep())
    return result
  }
  return {
    readWaiting: (page) => call('store.alerts.read', () => store.readWaiting(page)),
    async observe({ runId }) {
      const fault = faults.meet(machine, 'alert.observe')
      if (fault.crash === 'before') machine.die()
      await new Promise<void>((resolve) => void machine.later(chance.between(10, 20_000), resolve))
      if (chance.isTrue(0.1)) {
        coverage.count('alert: reading the result fails')
        throw new Error('the result could not be read')
      }
      if (fault.crash === 'after') machine.die()
      const run = tables.runs.get(runId)!
      if (run.status === 'failed') return { observed: { failure: run.failureReason!, runId }, history: [] }
      if (answersAnotherQuestion(run)) return null
      const figure = figureOf(run)
      const result = { runId, at: run.runAt, rowCount: figure, figures: { rows: String(figure) }, newestTimes: {}, newRows: {}, faults: {} }
      return { observed: { result }, history: [] }
    },
    clear: (alert) => call('store.alerts.clear', () => store.clear(alert)),
    record: (alert, evidence, decide) => call('store.alerts.record', () => store.record(alert, evidence, decide)).then(andLeftOver),
    readToAnnounce: (page) => call('store.alerts.readToAnnounce', () => store.readToAnnounce(page)),
    announce: (key, decide) => call('store.alerts.announce', () => store.announce(key, decide)).then(andLeftOver),
  }
}
