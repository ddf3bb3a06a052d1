import type { ChangedRow, PublishingReference, ResultChange } from '../generated/schemas.ts'
import { readJsonLines } from '../json-lines.ts'
import { callOperation, type ChangeOptions, type Input, requestFor } from '../operation.ts'
import type { CallOptions, Transport } from '../transport.ts'

export type ReferencePatch = NonNullable<Input<'references.patch'>['body']>

/** A piece of a patch: bytes of the earlier document, or text. The last one has the size and the hash of the later document. */
export type PatchLine = { copy: [offset: number, length: number] } | { text: string } | { end: { bytes: number; sha256: string } }

export interface ChangesOptions extends CallOptions {
  /** Only changes with a higher number; 0 by default. */
  after?: number | undefined
  /** How many changes one request fetches; 100 by default. */
  limit?: number | undefined
}

export interface WatchOptions extends ChangesOptions {
  /** How long to wait when there is no further change; 15,000 by default. */
  intervalMs?: number | undefined
}

/** The change feed of a reference. */
export interface ChangeFeed {
  /** Turns the feed on or off, or chooses its key columns. */
  patch(shortId: string, changes: ReferencePatch, options?: ChangeOptions): Promise<PublishingReference>
  /** The changes so far, oldest first: `for await (const change of client.references.changes(shortId, { after: 12 }))`. */
  changes(shortId: string, options?: ChangesOptions): AsyncGenerator<ResultChange>
  /** The changes so far, and then every new one, until the signal aborts. */
  watch(shortId: string, options?: WatchOptions): AsyncGenerator<ResultChange>
  /** The number of the newest change; 0 before the first one. */
  latestChange(shortId: string, options?: CallOptions): Promise<number>
  /** The rows of a change, one at a time. */
  changedRows(shortId: string, number: number | string, options?: CallOptions): AsyncGenerator<ChangedRow>
  /** The exact difference of a change: put together, its pieces are the later result, byte for byte. */
  changePatch(shortId: string, number: number | string, options?: CallOptions): AsyncGenerator<PatchLine>
}

export function makeChangeFeed(transport: Transport): ChangeFeed {
  async function* changes(shortId: string, { after = 0, limit = 100, ...options }: ChangesOptions = {}): AsyncGenerator<ResultChange, number> {
    for (let next = after; ; ) {
      const page = await callOperation(transport, 'references.changes', { params: { shortId }, query: { after: next, limit } }, options)
      yield* page.items
      next = page.nextAfter
      if (page.items.length < limit) return next
    }
  }
  const lines = async <Line>(operation: 'references.changedRows' | 'references.changePatch', params: { shortId: string; number: string }, options: CallOptions) => {
    const response = await transport.open({ ...requestFor(operation, { params }), headers: { accept: '*/*' } }, options)
    return readJsonLines<Line>(response.body!)
  }
  return {
    patch: (shortId, body, options) => callOperation(transport, 'references.patch', { params: { shortId }, body }, options),
    changes,
    async *watch(shortId, { intervalMs = 15_000, ...options } = {}) {
      for (let after = options.after ?? 0; ; ) {
        after = yield* changes(shortId, { ...options, after })
        await transport.clock.sleep(intervalMs, options.signal)
        if (options.signal?.aborted) return
      }
    },
    async latestChange(shortId, options) {
      const page = await callOperation(transport, 'references.changes', { params: { shortId }, query: { limit: 1 } }, options)
      return page.latestNumber
    },
    async *changedRows(shortId, number, options = {}) {
      yield* await lines<ChangedRow>('references.changedRows', { shortId, number: String(number) }, options)
    },
    async *changePatch(shortId, number, options = {}) {
      yield* await lines<PatchLine>('references.changePatch', { shortId, number: String(number) }, options)
    },
  }
}
