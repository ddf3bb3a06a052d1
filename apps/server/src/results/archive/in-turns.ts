import { yieldToEventLoop } from '../../ports/yield-to-event-loop.ts'

/** Runs a computation whose steps take a few milliseconds each, and lets requests be handled between them. */
export async function inTurns<Result>(steps: Generator<void, Result>, signal?: AbortSignal): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    signal?.throwIfAborted()
    await yieldToEventLoop()
  }
}

/** Runs it without pauses. */
export function atOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
