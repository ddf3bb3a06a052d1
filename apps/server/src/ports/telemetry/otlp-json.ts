import type { Attributes, EndedSpan, SpanKind } from './spans.ts'

/** OTLP in its JSON form: ids in hexadecimal, 64-bit integers as text. */
export type KeyValue = { key: string; value: { stringValue: string } | { boolValue: boolean } | { intValue: string } | { doubleValue: number } }

/** Describes the process in every request. */
export interface Resource {
  serviceName: string
  serviceVersion: string
  attributes: Record<string, string>
}

/** The numbers that OTLP gives to kinds of spans. */
const spanKinds: Record<SpanKind, number> = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 }
const failedStatus = 2

export function keyValues(attributes: Attributes): KeyValue[] {
  return Object.entries(attributes).flatMap(([key, value]) =>
    value === null || value === undefined ? [] : [{ key, value: anyValue(value) }],
  )
}

function anyValue(value: string | number | boolean): KeyValue['value'] {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value }
}

/** Milliseconds since 1970 as nanoseconds, which no JavaScript number can hold exactly. */
export const nanoseconds = (ms: number): string => (BigInt(Math.round(ms * 1000)) * 1000n).toString()

export const resourceOf = ({ serviceName, serviceVersion, attributes }: Resource) => ({
  attributes: keyValues({ 'service.name': serviceName, 'service.version': serviceVersion, ...attributes }),
})

export const scopeOf = ({ serviceVersion }: Resource) => ({ name: 'querypost', version: serviceVersion })

export function encodeSpans(resource: Resource, spans: readonly EndedSpan[]): string {
  const scopeSpans = [{ scope: scopeOf(resource), spans: spans.map(encodeSpan) }]
  return JSON.stringify({ resourceSpans: [{ resource: resourceOf(resource), scopeSpans }] })
}

function encodeSpan({ context, parentSpanId, name, kind, startedAt, durationMs, attributes, failure }: EndedSpan) {
  const startedMs = startedAt.getTime()
  return {
    traceId: context.traceId,
    spanId: context.spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    flags: 1,
    name,
    kind: spanKinds[kind],
    startTimeUnixNano: nanoseconds(startedMs),
    endTimeUnixNano: nanoseconds(startedMs + durationMs),
    attributes: keyValues({ ...attributes, ...(failure !== undefined && { 'error.type': failure }) }),
    ...(failure !== undefined && { status: { code: failedStatus } }),
  }
}
