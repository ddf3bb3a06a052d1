import { type FigureSource, readTime } from '@querypost/answers'
import type { Observation } from '../../../model/observation.ts'
import type { Run } from '../../../model/run.ts'
import { yieldToEventLoop } from '../../../ports/yield-to-event-loop.ts'
import { rangesOf } from '../../runs/run-ranges.ts'
import { find } from './find.ts'
import type { Findings } from './findings.ts'
import { drawPicture, type Picture } from './picture.ts'
import type { ReadResult } from './read-observed-rows.ts'
import { remember } from './remember.ts'

/** The run that a result comes from. `sqlHash`: equal if the same statement gave both results. */
export interface DigestedRun extends Pick<Run, 'parameterTypes' | 'parameterValues' | 'runAt'> {
  source: FigureSource
  sqlHash: string
}

/** What changed in a result since the observation of the one before, and what to remember of it. The same input gives the same output. */
export async function digestResult(
  result: ReadResult,
  run: DigestedRun,
  { before, nowMs }: { before: Observation | undefined; nowMs: number },
): Promise<{ picture: Picture; content: Observation; findings: Findings }> {
  const picture = drawPicture(result, { nowMs, cutDates: cutDates(run) })
  const { runId, ...source } = run.source
  const content = remember(picture, { runId, sqlHash: run.sqlHash, source })
  // Thousands of keys keep this thread busy for a while; let waiting requests run first.
  await yieldToEventLoop()
  return { picture, content, findings: find(picture, { previous: before, now: content }) }
}

function cutDates(run: DigestedRun): number[] {
  const dates = Object.entries(run.parameterTypes).flatMap(([name, type]) => (type === 'date' ? [run.parameterValues[name]].flat() : []))
  const days = Object.values(rangesOf(run)).flatMap(({ start, end }) => [start, end])
  return [...dates, ...days].flatMap((date) => readTime(date) ?? [])
}
