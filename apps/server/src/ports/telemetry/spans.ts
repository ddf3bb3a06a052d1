import { AsyncLocalStorage } from 'node:async_hooks'
import type { Clock } from '../clock.ts'
import type { Random } from '../random.ts'
import type { Sampler } from './sampler.ts'
import { formatTraceparent, parseTraceparent, type TraceContext } from './traceparent.ts'

/**
 * Traces. A *span* is one step of the work on a request: the request itself, a run, a statement, a delivery. Spans with the same trace
 * id form a *trace*. The *current* span follows asynchronous calls; across the queue, a trace continues with the `traceparent` stored
 * beside the work.
 *
 * - Without a tracer there is no current span, and `inSpan` only calls its function.
 * - Attributes never contain secrets, values from databases or the text of errors. SQL is added only if the operator allows it.
 */
export type SpanKind = 'internal' | 'server' | 'client' | 'producer' | 'consumer'
export type Attributes = Record<string, string | number | boolean | null | undefined>

export interface SpanOptions {
  name: string
  kind?: SpanKind
  attributes?: Attributes
}

export interface Span {
  readonly context: TraceContext
  set(attributes: Attributes): void
  rename(name: string): void
  /** Marks the span as failed. `type` is a word from a fixed set, never a message. */
  fail(type: string): void
}

export interface StartedSpan extends Span {
  /** Calls the function with this span as the current one. */
  run<Result>(work: () => Result): Result
  end(): void
}

export interface EndedSpan {
  context: TraceContext
  parentSpanId: string | undefined
  name: string
  kind: SpanKind
  startedAt: Date
  durationMs: number
  attributes: Attributes
  failure: string | undefined
}

export interface Tracer {
  /** Begins a span, in the trace of `parent` (a `traceparent`) or, if there is none, in a new one. */
  start(options: SpanOptions & { parent: string | string[] | null | undefined }): StartedSpan
  /** Whether spans may contain the text of SQL statements. */
  readonly showsSql: boolean
}

interface Current {
  tracer: Tracer
  span: Span
}

const current = new AsyncLocalStorage<Current | undefined>()

export function makeTracer(options: {
  clock: Pick<Clock, 'now' | 'monotonicMs'>
  random: Random
  sampler: Sampler
  showsSql: boolean
  onEnded(span: EndedSpan): void
}): Tracer {
  const { clock, random } = options
  const hex = (byteCount: number) => Buffer.from(random.bytes(byteCount)).toString('hex')
  const tracer: Tracer = {
    showsSql: options.showsSql,
    start({ name: firstName, kind = 'internal', attributes: given = {}, parent: header }) {
      const parent = parseTraceparent(header)
      const traceId = parent?.traceId ?? hex(16)
      const context = { traceId, spanId: hex(8), isSampled: options.sampler({ traceId, parent }) }
      const startedAt = clock.now()
      const startedMs = clock.monotonicMs()
      const attributes = { ...given }
      let name = firstName
      let failure: string | undefined
      let isEnded = false
      const span: StartedSpan = {
        context,
        set: (more) => void Object.assign(attributes, more),
        rename: (better) => void (name = better),
        fail: (type) => void (failure = type),
        run: (work) => current.run({ tracer, span }, work),
        end() {
          if (isEnded || !context.isSampled) return
          isEnded = true
          const durationMs = clock.monotonicMs() - startedMs
          options.onEnded({ context, parentSpanId: parent?.spanId, name, kind, startedAt, durationMs, attributes, failure })
        },
      }
      return span
    },
  }
  return tracer
}

const ignoredSpan: Span = {
  context: { traceId: '0'.repeat(32), spanId: '0'.repeat(16), isSampled: false },
  set() {},
  rename() {},
  fail() {},
}

/** Does the work in a span below the current one. Without a current span it only does the work. */
export async function inSpan<Result>(options: SpanOptions, work: (span: Span) => Promise<Result>): Promise<Result> {
  const above = current.getStore()
  if (!above) return work(ignoredSpan)
  return inStartedSpan(above.tracer.start({ ...options, parent: formatTraceparent(above.span.context) }), work)
}

/** Does the work in a span that ends with it. Work that throws has failed, with the name of its error. */
export async function inStartedSpan<Result>(span: StartedSpan, work: (span: Span) => Promise<Result>): Promise<Result> {
  try {
    return await span.run(() => work(span))
  } catch (error) {
    span.fail(error instanceof Error ? error.name : 'Error')
    throw error
  } finally {
    span.end()
  }
}

/** For adding what becomes known only later. */
export const currentSpan = (): Span => current.getStore()?.span ?? ignoredSpan

/** The `traceparent` of the current span, to send or store with work that continues elsewhere; null if there is none. */
export function currentTraceparent(): string | null {
  const above = current.getStore()
  return above ? formatTraceparent(above.span.context) : null
}

/** The text of a statement as an attribute, if the operator allows it. */
export const sqlAttribute = (sql: string): Attributes => (current.getStore()?.tracer.showsSql ? { 'db.query.text': sql } : {})
