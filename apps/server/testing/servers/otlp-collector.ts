import { findOtlpFaults } from '../telemetry/check-otlp.ts'
import { type PlainAnswer, startPlainServer } from './plain-server.ts'

type JsonValue = { stringValue?: string; intValue?: string; boolValue?: boolean; doubleValue?: number }
type JsonAttributes = { key: string; value: JsonValue }[]

export interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  status?: { code: number }
  attributes: Record<string, unknown>
  resource: Record<string, unknown>
}

export interface OtlpCollector {
  url: string
  readonly spans: CollectedSpan[]
  /** The newest value of each metric, by name. */
  readonly metrics: Map<string, object>
  /** How the requests broke the rules of OTLP. */
  readonly faults: string[]
  readonly headers: Record<string, unknown>[]
  close(): Promise<void>
}

interface TraceRequest {
  resourceSpans: {
    resource: { attributes: JsonAttributes }
    scopeSpans: { spans: (Omit<CollectedSpan, 'attributes' | 'resource'> & { attributes: JsonAttributes })[] }[]
  }[]
}

interface MetricsRequest {
  resourceMetrics: { scopeMetrics: { metrics: ({ name: string } & object)[] }[] }[]
}

/** A collector that checks every request against the definitions of OTLP and keeps what it received. */
export async function startOtlpCollector(options: { answer?: () => PlainAnswer | undefined } = {}): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = []
  const metrics = new Map<string, object>()
  const faults: string[] = []
  const headers: Record<string, unknown>[] = []
  const messageOf = new Map([
    ['/v1/traces', 'ExportTraceServiceRequest'],
    ['/v1/metrics', 'ExportMetricsServiceRequest'],
  ])

  const server = await startPlainServer((request, body) => {
    const other = options.answer?.()
    if (other) return other
    headers.push(request.headers)
    const message = messageOf.get(request.url!)
    if (request.method !== 'POST' || !message) return { status: 404 }
    if (request.headers['content-type'] !== 'application/json') return { status: 415 }
    const sent: unknown = JSON.parse(body.toString())
    const found = findOtlpFaults(message, sent)
    faults.push(...found)
    if (found.length > 0) return { status: 400, body: { message: found.join('\n') } }
    if (request.url === '/v1/traces') spans.push(...spansOf(sent as TraceRequest))
    else for (const metric of metricsOf(sent as MetricsRequest)) metrics.set(metric.name, metric)
    return { status: 200, body: {} }
  })
  return { url: server.url, spans, metrics, faults, headers, close: () => server.close() }
}

const spansOf = ({ resourceSpans }: TraceRequest): CollectedSpan[] =>
  resourceSpans.flatMap(({ resource, scopeSpans }) =>
    scopeSpans.flatMap((scope) =>
      scope.spans.map((span) => ({ ...span, attributes: plain(span.attributes), resource: plain(resource.attributes) })),
    ),
  )

const metricsOf = ({ resourceMetrics }: MetricsRequest) =>
  resourceMetrics.flatMap(({ scopeMetrics }) => scopeMetrics.flatMap(({ metrics }) => metrics))

const plain = (attributes: JsonAttributes) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.intValue === undefined ? Object.values(value)[0] : Number(value.intValue)]),
  )
