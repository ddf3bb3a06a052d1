import type { ResultStore } from '@querypost/server/background-work'
import type { PortOptions } from './engine-port.ts'

const never = () => new Promise<never>(() => {})
const failed = () => new Error('the result store failed')

/** The result store of one machine: slow, unavailable, or failing at once, halfway or after taking effect. */
export function makeResultsPort(options: PortOptions & { trace?: ((line: string) => void) | undefined }): ResultStore {
  const { machine, scheduler, chance, faults, work } = options
  const wait = (ms: number) => new Promise<void>((resolve) => void machine.later(ms, resolve))

  return {
    async write({ runId, result, onRows }) {
      if (machine.isDead()) return never()
      const fault = faults.meet(machine, 'results.write')
      if (fault.crash === 'before') {
        machine.die()
        return never()
      }
      if (fault.resultError === 'before' || faults.areResultsAway()) throw failed()
      let rowCount = 0
      for await (const batch of result.batches) {
        rowCount += batch.rowCount
        onRows?.(rowCount)
        if (fault.resultError === 'half-way' || faults.areResultsAway()) throw failed()
      }
      if (fault.resultError === 'half-way') throw failed()
      const written = { rowCount, sizeBytes: rowCount, hash: `${runId} with ${rowCount} rows` }
      const stored = new Promise<void>((resolve) => {
        scheduler.at(scheduler.nowMs() + chance.between(1, 30) + (fault.slowByMs ?? 0), () => {
          if (machine.isDead() && chance.isTrue(0.5)) return
          work.results.set(runId, { ...written, rowTotal: result.statistics().rowsRead ?? 0 })
          options.trace?.(`${machine.id} wrote the result of ${runId}`)
          machine.later(0, resolve)
        })
      })
      await stored
      if (fault.crash === 'after') {
        machine.die()
        return never()
      }
      if (fault.resultError === 'after') throw failed()
      return written
    },
    open: async () => undefined,
    async remove(runId) {
      if (machine.isDead()) return never()
      const fault = faults.meet(machine, 'results.remove')
      if (fault.crash === 'before') {
        machine.die()
        return never()
      }
      await wait(chance.between(1, 30) + (fault.slowByMs ?? 0))
      if (fault.resultError === 'before' || faults.areResultsAway()) throw failed()
      work.results.delete(runId)
      options.trace?.(`${machine.id} removed the result of ${runId}`)
      if (fault.crash === 'after') {
        machine.die()
        return never()
      }
      if (fault.resultError !== undefined) throw failed()
    },
    async removeAll() {},
    async sweep() {
      return { removed: 0, hasMore: false }
    },
  }
}
