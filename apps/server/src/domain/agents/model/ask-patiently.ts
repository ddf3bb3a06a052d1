import type { Clock } from '../../../ports/clock.ts'
import { fraction, type Random } from '../../../ports/random.ts'
import { askModel, type ModelRequest, type ModelStep } from './ask-model.ts'
import type { StepUsage } from './step-usage.ts'
import { patience } from './model-limits.ts'
import type { ModelAccess } from '../../../model/model-settings.ts'
import { AnswerCut, judgeProviderError, type ProviderFailure } from './provider-failure.ts'

/** A step that did not come about, although it was asked for as often as is sensible. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed'
}

export interface Patience {
  /** A part of an answer came and counts for nothing, but it has been paid for. */
  onCut(usage: StepUsage): Promise<void>
  onWait(waitMs: number, failure: ProviderFailure): Promise<void>
}

/** One step, asked for again where that can help. Waits go by the clock; the library's own retries are off. */
export async function askPatiently(
  deps: { clock: Clock; random: Random },
  request: ModelRequest & { access: ModelAccess } & Patience,
): Promise<{ step: ModelStep; tries: number }> {
  let failures = 0
  let cuts = 0
  for (;;) {
    try {
      return { step: await askModel(request), tries: 1 + failures + cuts }
    } catch (error) {
      request.signal.throwIfAborted()
      const failure = judgeProviderError(error, request.access, deps.clock.now())
      if (failure.kind === 'cut') cuts++
      else failures++
      if (error instanceof AnswerCut) await request.onCut(error.usage)
      const isOver = failure.kind === 'final' || cuts > patience.timesAgainAfterCut || failures >= patience.tries
      if (isOver) throw new StepFailed(withTries(failure, failures + cuts), { cause: error })
      const waitMs = waitOf(failure, failures + cuts, deps.random)
      await request.onWait(waitMs, failure)
      await deps.clock.sleep(waitMs, request.signal)
      request.signal.throwIfAborted()
    }
  }
}

/**
 * What the provider asks for, else 1 s, 2 s, 4 s, …, each up to half as long again, so that many do not come back at
 * once.
 */
function waitOf(failure: ProviderFailure, failedTries: number, random: Random): number {
  const backoffMs = patience.firstWaitMs * 2 ** (failedTries - 1) * (1 + fraction(random) / 2)
  return Math.min(failure.retryAfterMs ?? backoffMs, patience.waitMaxMs)
}

const withTries = ({ reason }: ProviderFailure, tries: number) =>
  tries > 1 ? `${reason} It was tried ${tries} times.` : reason
