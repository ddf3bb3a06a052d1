import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import { Refusal } from '../refusal.ts'

/**
 * Words:
 * - A *sequence* is a first page and the pages that follow it by `nextCursor`. All of it shows one moment: that of the
 *   first page.
 * - A *snapshot* is that moment as the database names it (`pg_current_snapshot()`): which transactions had committed. A
 *   clock cannot name it, since a transaction may commit later than the timestamps it wrote.
 * - A *cursor* carries the snapshot and the key of the last item seen, signed, so that the service keeps nothing between pages.
 */
export type ListName = 'queries' | 'references'

/** Where an item stands in its list: newest first. `createdAt` is text with microseconds, exact. */
export interface ItemKey {
  createdAt: string
  id: string
}

export interface Cursor {
  list: ListName
  organizationId: string
  /** The database cluster that the snapshot belongs to. */
  systemIdentifier: string
  snapshot: string
  after: ItemKey
  sequenceStartedAt: Date
  issuedAt: Date
}

/** A cursor is good for a day from its own issue. */
export const cursorLifetimeMs = 24 * 3600_000
/** Replaced versions are kept this long, so a sequence can be no older. */
export const historyKeptMs = 7 * 24 * 3600_000

export interface CursorCodec {
  encode(cursor: Cursor): string
  /** Refuses with `cursor_invalid` what this service did not issue for this list and organization, with `cursor_expired` what is too old. */
  decode(text: string, expected: { list: ListName; organizationId: string; systemIdentifier: string; now: Date }): Cursor
}

const signatureBytes = 16

export function makeCursorCodec(options: { secretKey: Uint8Array }): CursorCodec {
  const key = Buffer.from(hkdfSync('sha256', options.secretKey, '', 'querypost cursor v1', 32))
  const sign = (payload: Buffer) => createHmac('sha256', key).update(payload).digest().subarray(0, signatureBytes)
  return {
    encode(cursor) {
      const payload = Buffer.from(
        JSON.stringify([
          cursor.list,
          cursor.organizationId,
          cursor.systemIdentifier,
          cursor.snapshot,
          cursor.after.createdAt,
          cursor.after.id,
          cursor.sequenceStartedAt.getTime(),
          cursor.issuedAt.getTime(),
        ]),
      )
      return Buffer.concat([sign(payload), payload]).toString('base64url')
    },
    decode(text, expected) {
      const bytes = Buffer.from(text, 'base64url')
      const signature = bytes.subarray(0, signatureBytes)
      const payload = bytes.subarray(signatureBytes)
      // Only the exact text that was issued: base64 has several spellings of the same bytes.
      const isOurs =
        bytes.toString('base64url') === text &&
        signature.length === signatureBytes &&
        timingSafeEqual(signature, sign(payload))
      if (!isOurs) throw invalid('it is not a cursor that this service issued')
      const cursor = parse(payload)
      if (cursor.list !== expected.list) throw invalid('it belongs to another list')
      if (cursor.organizationId !== expected.organizationId) throw invalid('it is not a cursor that this service issued')
      if (cursor.systemIdentifier !== expected.systemIdentifier) {
        throw expired('The database was replaced since this cursor was issued.')
      }
      const nowMs = expected.now.getTime()
      if (nowMs - cursor.issuedAt.getTime() >= cursorLifetimeMs) throw expired('A cursor is valid for 24 hours.')
      if (nowMs - cursor.sequenceStartedAt.getTime() >= historyKeptMs) {
        throw expired('A sequence of pages can be followed for 7 days from its first page.')
      }
      return cursor
    },
  }
}

function parse(payload: Buffer): Cursor {
  type Fields = [ListName, string, string, string, string, string, number, number]
  const [list, organizationId, systemIdentifier, snapshot, createdAt, id, startedMs, issuedMs] = JSON.parse(
    payload.toString(),
  ) as Fields
  return {
    list,
    organizationId,
    systemIdentifier,
    snapshot,
    after: { createdAt, id },
    sequenceStartedAt: new Date(startedMs),
    issuedAt: new Date(issuedMs),
  }
}

const invalid = (why: string) =>
  new Refusal('cursor_invalid', `This cursor cannot be used: ${why}. Send the previous page's nextCursor unchanged.`, [
    { path: 'cursor', message: why },
  ])

const expired = (why: string) =>
  new Refusal('cursor_expired', `${why} Start a new sequence by asking for the list without a cursor.`)

/** The database has gone back behind the snapshot (restored from a backup): its transaction ids now mean others. */
export const expiredSnapshot = () => expired('The database was restored since this cursor was issued.')
