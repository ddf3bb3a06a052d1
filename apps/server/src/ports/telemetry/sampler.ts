import type { TraceContext } from './traceparent.ts'

export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const

export interface SamplerSetting {
  name: (typeof samplerNames)[number]
  /** From 0 to 1, for the samplers by ratio. */
  ratio: number
}

/** Decides whether the spans of a trace are exported. `parent` is the span that this one belongs to, here or in another process. */
export type Sampler = (span: { traceId: string; parent: TraceContext | undefined }) => boolean

export function makeSampler({ name, ratio }: SamplerSetting): Sampler {
  const isInRatio = (traceId: string) => Number.parseInt(traceId.slice(-13), 16) < ratio * 16 ** 13
  const rule = name.replace('parentbased_', '')
  const decide = (traceId: string) => rule === 'always_on' || (rule === 'traceidratio' && isInRatio(traceId))
  if (rule === name) return ({ traceId }) => decide(traceId)
  return ({ traceId, parent }) => parent?.isSampled ?? decide(traceId)
}
