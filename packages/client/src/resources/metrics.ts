import type { Metric } from '../generated/schemas.ts'
import { type List, type ListOptions, makeList } from '../list.ts'
import { callOperation, type ChangeOptions, type Input, type Version } from '../operation.ts'
import type { CallOptions, Transport, WriteOptions } from '../transport.ts'

/** Figures that people agreed on how to compute. Admins change them. */
export interface Metrics {
  /** All of them, last changed first. */
  list(options?: ListOptions): List<Metric>
  get(metricId: string, options?: CallOptions): Promise<Metric>
  create(input: Input<'metrics.create'>['body'], options?: WriteOptions): Promise<Metric>
  /** Replaces all fields of the `version` that you have read. If it has changed since, the call rejects with `ConflictError`. */
  replace(metricId: string, input: Input<'metrics.replace'>['body'], options: CallOptions & { version: Version }): Promise<Metric>
  delete(metricId: string, options?: ChangeOptions): Promise<Metric>
}

export function makeMetrics(transport: Transport): Metrics {
  return {
    list: (given = {}) =>
      makeList({ given, fetchPage: (query, options) => callOperation(transport, 'metrics.list', { query }, options) }),
    get: (id, options) => callOperation(transport, 'metrics.get', { params: { id } }, options),
    create: (body, options) => callOperation(transport, 'metrics.create', { body }, options),
    replace: (id, body, options) => callOperation(transport, 'metrics.replace', { params: { id }, body }, options),
    delete: (id, options) => callOperation(transport, 'metrics.delete', { params: { id } }, options),
  }
}
