import { absentForMs, lookValidMs, type WorkerRegistry } from '@querypost/server/background-work'
import type { Machine } from './machine.ts'
import type { CallStore } from './store-calls.ts'

/**
 * The workers' sessions with the store. A session ends when its machine dies or is partitioned, and all end with an outage of the store.
 * A machine that stalls or is suspended keeps its session.
 */
export interface WorkerSessions {
  registryOf(machine: Machine, call: CallStore): WorkerRegistry
  /** Whether others may take the machine for gone when they call at that time: it was absent in two looks. */
  mayBeGone(machine: Machine, calledMs: number): boolean
}

interface Session {
  machine: Machine
  enteredMs: number
}

export function makeWorkerSessions(options: { nowMs(): number; storeAwayFromMs(): number }): WorkerSessions {
  const { nowMs } = options
  const sessions = new Map<string, Session>()
  /** When absences began that have ended with a new session. */
  const pastAbsences = new Map<Machine, { fromMs: number; untilMs: number }[]>()

  function absentSinceMs({ machine, enteredMs }: Session): number | undefined {
    const endings = [machine.diedMs(), machine.last.partitionMs, options.storeAwayFromMs()]
    const afterwards = endings.filter((ms) => ms !== undefined && ms >= enteredMs) as number[]
    return afterwards.length > 0 ? Math.min(...afterwards) : undefined
  }

  function enter(machine: Machine, id: string): boolean {
    const before = sessions.get(id)
    const fromMs = before && absentSinceMs(before)
    if (fromMs !== undefined) pastAbsences.set(machine, [...(pastAbsences.get(machine) ?? []), { fromMs, untilMs: nowMs() }])
    sessions.set(id, { machine, enteredMs: nowMs() })
    return true
  }

  function absencesOf(machine: Machine): { fromMs: number; untilMs: number }[] {
    const current = [...sessions.values()].find((session) => session.machine === machine)
    const fromMs = current && absentSinceMs(current)
    return [...(pastAbsences.get(machine) ?? []), ...(fromMs === undefined ? [] : [{ fromMs, untilMs: Infinity }])]
  }

  return {
    registryOf: (machine, call) => ({
      enter: (id) => call('store.workers.enter', () => enter(machine, id)),
      look: () => call('store.workers.look', () => [...sessions].map(([id, session]) => ({ id, isAbsent: absentSinceMs(session) !== undefined }))),
      remove: (ids) =>
        call('store.workers.remove', () => {
          for (const id of ids) sessions.delete(id)
        }),
    }),
    mayBeGone(machine, calledMs) {
      if (machine.isDead() && machine.diedMs()! <= calledMs - absentForMs) return true
      const absences = absencesOf(machine).filter(({ fromMs, untilMs }) => fromMs <= calledMs && untilMs >= calledMs - 2 * lookValidMs)
      const isSeenNow = absences.some(({ untilMs }) => untilMs >= calledMs - lookValidMs)
      return isSeenNow && absences.some(({ fromMs }) => fromMs <= calledMs - absentForMs)
    },
  }
}
