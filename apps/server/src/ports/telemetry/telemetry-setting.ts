import type { SamplerSetting } from './sampler.ts'

/** Where traces and metrics are sent. */
export interface TelemetrySetting {
  /** Null: no traces. */
  tracesUrl: string | null
  /** Null: no metrics. */
  metricsUrl: string | null
  headers: Record<string, string>
  serviceName: string
  resourceAttributes: Record<string, string>
  sampler: SamplerSetting
  showsSql: boolean
  /** How long a request to the collector may take. */
  timeoutMs: number
  spansEveryMs: number
  metricsEveryMs: number
}

/** `key=value,key=value`, with percent-encoded values, as OTLP's headers and resource attributes are written. Undefined if it is not. */
export function parseKeyValues(text: string): Record<string, string> | undefined {
  const pairs = text.split(',').filter((pair) => pair.trim() !== '').map((pair) => /^\s*([^\s=]+)\s*=(.*)$/s.exec(pair))
  try {
    return Object.fromEntries(pairs.map((pair) => [pair![1]!, decodeURIComponent(pair![2]!.trim())]))
  } catch {
    return undefined
  }
}
