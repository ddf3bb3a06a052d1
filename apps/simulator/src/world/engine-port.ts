import { type Engine, EngineError } from '@querypost/server/engines'
import type { EngineResult, RowBatch } from '@querypost/server/model'
import type { RunWorkerDeps } from '@querypost/server/background-work'
import { inputsOf } from '../store/memory-run-inputs.ts'
import type { Chance } from '../chance.ts'
import type { Coverage } from '../coverage.ts'
import type { Machine } from './machine.ts'
import { interrupted, type ObservedActivity, type ObservedWork } from './observed-work.ts'
import type { PortFaults } from './port-faults.ts'
import type { Scheduler } from './scheduler.ts'

export interface PortOptions {
  machine: Machine
  scheduler: Scheduler
  chance: Chance
  coverage: Coverage
  faults: PortFaults
  work: ObservedWork
}

const statementKinds = ['quick', 'quick', 'quick', 'medium', 'medium', 'slow', 'fails', 'hangs'] as const
const obediences = ['prompt', 'prompt', 'prompt', 'slow', 'ignores'] as const

const stopped = () => new EngineError('stopped', 'The statement was stopped.')

/** Engines whose statements are slow, fail, hang, and don't always stop when interrupted. The SQL is the run's id. */
export function makeEnginePort(options: PortOptions): RunWorkerDeps['engines'] {
  const { machine, scheduler, chance, coverage, faults, work } = options
  const wait = (ms: number) => new Promise<void>((resolve) => void machine.later(ms, resolve))

  function run({ sql: runId, signal, onProgress }: Parameters<Engine['run']>[0]): Promise<EngineResult> {
    return new Promise((resolve, reject) => {
      if (machine.isDead()) return
      const fault = faults.meet(machine, 'engine.run')
      if (fault.crash === 'before') return machine.die()
      const inputs = inputsOf(work.tables, runId)
      if (inputs.some(({ status }) => status === 'failed')) return reject(new EngineError('failed', 'The saved query failed.'))
      if (inputs.length > 0) coverage.count('statement: reads other results')
      const kind = chance.pick(statementKinds)
      const obedience = chance.pick(obediences)
      coverage.count(`statement: ${kind}`)
      const statement: ObservedActivity = { machine, id: runId, startedMs: scheduler.nowMs(), interruptedMs: undefined }
      work.statements.add(statement)
      const over = () => void work.statements.delete(statement)

      function interrupt() {
        // The signal also aborts at the end of the run.
        if (!work.statements.has(statement)) return
        interrupted(work.runs, statement, scheduler.nowMs())
        coverage.count(`statement: interrupted, ${obedience}`)
        if (obedience === 'ignores') return
        const ms = obedience === 'prompt' ? chance.between(0, 300) : chance.between(1_000, 40_000)
        machine.later(ms, () => {
          over()
          reject(stopped())
        })
      }
      if (signal.aborted) interrupt()
      else machine.onAbort(signal, interrupt)

      const batchCount = chance.between(0, 4)
      const rowTotal = batchCount * 10
      const pauses = Array.from({ length: batchCount }, () => chance.pick([0, 20, 500, 4_000]))
      async function* batches(): AsyncGenerator<RowBatch> {
        try {
          for (const pauseMs of pauses) {
            await wait(pauseMs)
            if (signal.aborted && obedience !== 'ignores') throw stopped()
            yield { rowCount: 10, json: Buffer.from('[1]') }
          }
        } finally {
          over()
        }
      }
      const answer = () => {
        resolve({
          fields: [{ name: 'n', type: 'integer' }],
          batches: batches(),
          statistics: () => ({ rowsRead: rowTotal, rowsWritten: 0 }),
        })
      }
      const afterMs = { quick: 500, fails: 5_000, medium: 15_000, slow: 100_000, hangs: Infinity }[kind]
      if (kind !== 'hangs') {
        machine.later(chance.between(kind === 'slow' ? 20_000 : 5, afterMs), () => {
          if (!work.statements.has(statement)) return
          if (kind !== 'fails') return answer()
          over()
          reject(new EngineError('failed', 'There is no such table.'))
        })
      }
      if (kind === 'slow' || kind === 'medium') machine.later(2_000, () => onProgress?.(10))
      if (fault.crash === 'after') machine.die()
    })
  }

  const engine: Engine = {
    dialect: 'duckdb',
    run,
    test: async () => ({ version: 'virtual' }),
    describe: async () => [],
    close: async () => {},
  }
  return { engineOf: () => engine }
}
