/**
 * Watches how fast the processors are: every few milliseconds it does the same short piece of work and notes how long that took. On a shared machine
 * the host takes a processor away, or slows it down, without telling the guest. Requests at such moments say nothing about the service.
 */
import { quantile } from '../statistics.ts'
import { answerRequests, startChild } from './child.ts'

export interface GaugeSample {
  /** By the machine's clock, as `performance.timeOrigin + performance.now()`. */
  startedMs: number
  endedMs: number
  workMs: number
}

const everyMs = 4
/** The quickest of several says how fast the processor is. Waiting for it, because others use it, makes only some of them slow. */
const repetitions = 3
const roundsOfWork = 25_000
const warmUps = 2_000

function work(): number {
  let value = 0
  for (let round = 0; round < roundsOfWork; round++) value = (value * 31 + round) | 0
  return value
}

function sample(): GaugeSample {
  const startedMs = performance.now()
  let workMs = Infinity
  let fromMs = startedMs
  for (let repetition = 0; repetition < repetitions; repetition++) {
    work()
    const toMs = performance.now()
    workMs = Math.min(workMs, toMs - fromMs)
    fromMs = toMs
  }
  const { timeOrigin } = performance
  return { startedMs: timeOrigin + startedMs, endedMs: timeOrigin + fromMs, workMs }
}

async function run({ durationMs }: { durationMs: number }): Promise<GaugeSample[]> {
  const samples: GaugeSample[] = []
  const endMs = performance.now() + durationMs
  while (performance.now() < endMs) {
    await new Promise((resolve) => setTimeout(resolve, everyMs))
    samples.push(sample())
  }
  return samples
}

export interface SlowSpell {
  fromMs: number
  toMs: number
}

/** A tenth of the samples is quicker than this one: how fast the processors are when nobody slows them down. */
const fullSpeedShare = 0.1
const slowAbove = 1.5

/** The times at which the processors were much slower than at their best: from the last quick sample before to the first one after. */
export function findSlowSpells(samples: readonly GaugeSample[]): SlowSpell[] {
  const limitMs = quantile(samples.map(({ workMs }) => workMs), fullSpeedShare) * slowAbove
  const spells: SlowSpell[] = []
  let open: SlowSpell | undefined
  let quickUntilMs = -Infinity
  for (const { startedMs, endedMs, workMs } of samples) {
    if (workMs > limitMs) {
      open ??= { fromMs: quickUntilMs, toMs: Infinity }
    } else {
      if (open) spells.push({ ...open, toMs: startedMs })
      open = undefined
      quickUntilMs = endedMs
    }
  }
  return open ? [...spells, open] : spells
}

export const outsideOf = <Timed extends { sentMs: number; tookMs: number }>(spells: readonly SlowSpell[], requests: readonly Timed[]): Timed[] =>
  requests.filter(({ sentMs, tookMs }) => !spells.some(({ fromMs, toMs }) => fromMs < sentMs + tookMs && sentMs < toMs))

export const startProcessorGauge = () => startChild<{ durationMs: number }, GaugeSample[]>(new URL(import.meta.url))

if (process.send && process.argv[1] === import.meta.filename) {
  for (let warmUp = 0; warmUp < warmUps; warmUp++) work()
  answerRequests(run)
}
