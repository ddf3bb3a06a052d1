import type { Observatory } from './observatory.ts'
import type { Scheduler } from './scheduler.ts'

export interface Stepping {
  /** Steps until `isOver`, the time limit, a violation, or the world's last step. */
  runUntil(isOver: () => boolean, limitMs: number): Promise<void>
  stepCount(): number
}

export function makeStepping(options: {
  scheduler: Scheduler
  observatory: Observatory
  stepsMax: number
  leapOverIdleTime(limitMs: number): void
  /** Called after each step, before it is judged. */
  onStep?(): void
}): Stepping {
  const { scheduler, observatory, stepsMax, leapOverIdleTime, onStep } = options
  let stepCount = 0
  return {
    async runUntil(isOver, limitMs) {
      while (!isOver() && scheduler.nowMs() < limitMs && !observatory.violation() && stepCount < stepsMax) {
        leapOverIdleTime(limitMs)
        try {
          if (!(await scheduler.step())) break
        } catch (error) {
          observatory.broke(`an exception in a timer: ${String(error)}`)
        }
        stepCount += 1
        onStep?.()
        observatory.stepped()
      }
    },
    stepCount: () => stepCount,
  }
}
