import type { Clock } from '../../../ports/clock.ts'
import { fraction, type Random } from '../../../ports/random.ts'
import { inSpan } from '../../../ports/telemetry/spans.ts'
import { askModel, type ModelRequest, type ModelStep } from './ask-model.ts'
import type { StepUsage } from './step-usage.ts'
import { retryLimits } from './model-limits.ts'
import type { ModelAccess } from '../../../model/model-settings.ts'
import { AnswerAborted, AnswerCut, judgeProviderError, type ProviderFailure } from './provider-failure.ts'

/** A step that failed even after retries. */
export class StepFailed extends Error {
  override readonly name = 'StepFailed'
}

export interface RetryHooks {
  /** The run was interrupted while the model was answering; the tokens so far have been billed. */
  onAbort(usage: StepUsage): Promise<void>
  /** Part of an answer arrived and is discarded, but its tokens have been billed. */
  onCut(usage: StepUsage): Promise<void>
  onWait(waitMs: number, failure: ProviderFailure): Promise<void>
}

/** Asks for one step, with retries where they can help. Waits use the clock; the library's own retries are off. */
export async function askWithRetries(
  deps: { clock: Clock; random: Random },
  request: ModelRequest & { access: ModelAccess } & RetryHooks,
): Promise<{ step: ModelStep; tries: number }> {
  let failures = 0
  let cuts = 0
  for (;;) {
    try {
      return { step: await askInSpan(request), tries: 1 + failures + cuts }
    } catch (error) {
      if (error instanceof AnswerAborted) await request.onAbort(error.usage)
      request.signal.throwIfAborted()
      const failure = judgeProviderError(error, request.access, deps.clock.now())
      if (failure.kind === 'cut') cuts++
      else failures++
      if (error instanceof AnswerCut) await request.onCut(error.usage)
      const isOver = failure.kind === 'final' || cuts > retryLimits.retriesAfterCut || failures >= retryLimits.tries
      if (isOver) throw new StepFailed(withTries(failure, failures + cuts), { cause: error })
      const waitMs = waitOf(failure, failures + cuts, deps.random)
      await request.onWait(waitMs, failure)
      await deps.clock.sleep(waitMs, request.signal)
      request.signal.throwIfAborted()
    }
  }
}

/** One span per request to the provider. Prompts and answers are never in it. */
function askInSpan(request: ModelRequest & { access: ModelAccess }): Promise<ModelStep> {
  const { model, provider } = request.access
  const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.provider.name': provider, 'gen_ai.request.model': model }
  return inSpan({ name: `chat ${model}`, kind: 'client', attributes }, async (span) => {
    const step = await askModel(request)
    span.set({ 'gen_ai.usage.input_tokens': step.usage.inputTokens, 'gen_ai.usage.output_tokens': step.usage.outputTokens })
    return step
  })
}

/** The wait that the provider asks for, else 1 s, 2 s, 4 s, …, each extended by up to half so that clients do not all retry at once. */
function waitOf(failure: ProviderFailure, failedTries: number, random: Random): number {
  const backoffMs = retryLimits.firstWaitMs * 2 ** (failedTries - 1) * (1 + fraction(random) / 2)
  return Math.min(failure.retryAfterMs ?? backoffMs, retryLimits.waitMaxMs)
}

const withTries = ({ reason }: ProviderFailure, tries: number) =>
  tries > 1 ? `${reason} Tried ${tries} times.` : reason
