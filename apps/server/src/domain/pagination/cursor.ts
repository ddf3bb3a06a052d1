import { keptMs } from '../../model/kept-times.ts'
import type { ItemKey, ListName } from '../../model/page.ts'
import { Refusal } from '../refusal.ts'
import { makeTextSigner } from './signed-text.ts'

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

/** A cursor is valid for a day from when it was issued. */
export const cursorLifetimeMs = 24 * 3600_000
/** Old row versions are kept this long, so a sequence cannot be older. */
export const historyKeptMs = keptMs.sequences

export interface CursorCodec {
  encode(cursor: Cursor): string
  /** Throws `cursor_invalid` for text that was not issued for this list and organization, and `cursor_expired` if it is too old. */
  decode(text: string, expected: { list: ListName; organizationId: string; systemIdentifier: string; now: Date }): Cursor
}

type Fields = [
  list: ListName,
  organizationId: string,
  systemIdentifier: string,
  snapshot: string,
  createdAt: string,
  id: string,
  startedMs: number,
  issuedMs: number,
]

export function makeCursorCodec(options: { secretKey: Uint8Array }): CursorCodec {
  const signer = makeTextSigner({ ...options, purpose: 'querypost cursor v1' })
  return {
    encode(cursor) {
      const fields: Fields = [
        cursor.list,
        cursor.organizationId,
        cursor.systemIdentifier,
        cursor.snapshot,
        cursor.after.createdAt,
        cursor.after.id,
        cursor.sequenceStartedAt.getTime(),
        cursor.issuedAt.getTime(),
      ]
      return signer.encode(fields)
    },
    decode(text, expected) {
      const fields = signer.decode(text) as Fields | undefined
      if (!fields) throw foreignCursor()
      const cursor = present(fields)
      if (cursor.list !== expected.list) throw invalidCursor('it belongs to another list')
      if (cursor.organizationId !== expected.organizationId) throw foreignCursor()
      if (cursor.systemIdentifier !== expected.systemIdentifier) {
        throw expired('The database was replaced since this cursor was issued.')
      }
      requireFresh(cursor, expected.now)
      if (expected.now.getTime() - cursor.sequenceStartedAt.getTime() >= historyKeptMs) {
        throw sequenceTooOld()
      }
      return cursor
    },
  }
}

function present([list, organizationId, systemIdentifier, snapshot, createdAt, id, startedMs, issuedMs]: Fields): Cursor {
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

export function requireFresh(cursor: { issuedAt: Date }, now: Date): void {
  if (now.getTime() - cursor.issuedAt.getTime() >= cursorLifetimeMs) throw expired('A cursor is valid for 24 hours.')
}

export const invalidCursor = (why: string) =>
  new Refusal('cursor_invalid', `This cursor cannot be used: ${why}. Send the previous page's nextCursor unchanged.`, [
    { path: 'cursor', message: why },
  ])

/** For cursors that this service did not issue, or issued to another organization; the caller does not learn which. */
export const foreignCursor = () => invalidCursor('it is not a cursor that this service issued')

const expired = (why: string) =>
  new Refusal('cursor_expired', `${why} Start a new sequence by requesting the list without a cursor.`)

export const sequenceTooOld = () => expired('A sequence of pages can be followed for 7 days from its first page.')

/** The database has been restored to before the snapshot, so its transaction ids now mean something else. */
export const expiredSnapshot = () => expired('The database was restored since this cursor was issued.')
