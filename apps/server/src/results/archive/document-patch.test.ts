import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type PatchPiece, patchSteps, textPieces } from './document-patch.ts'
import { atOnce } from './in-turns.ts'
import { findRows } from './row-document.ts'

type Rows = unknown[][]
const documentOf = (rows: Rows, fields = [{ name: 'a', type: 'integer' }]) =>
  Buffer.from(`{"fields":${JSON.stringify(fields)},"rows":${JSON.stringify(rows)},"rowCount":${rows.length}}`)

/** As documented: bytes of the earlier document, and text, in their order. */
const apply = (document: Buffer, pieces: PatchPiece[]) =>
  Buffer.concat(pieces.map((piece) => ('copy' in piece ? document.subarray(piece.copy[0], piece.copy[0] + piece.copy[1]) : Buffer.from(piece.text))))

/** The patch of a change: the whole document if one of them has no rows. */
function patchOf(from: Buffer, to: Buffer): PatchPiece[] {
  const [fromRows, toRows] = [atOnce(findRows(from)), atOnce(findRows(to))]
  return fromRows && toRows ? atOnce(patchSteps(fromRows, toRows)) : textPieces(to)
}

const row = fc.tuple(fc.integer({ min: 0, max: 5 }), fc.oneof(fc.string({ maxLength: 4, unit: 'binary' }), fc.constantFrom('],[', '"', '\\', 'ü', '🚀')))
const state = fc.record({ rows: fc.array(row, { maxLength: 12 }), isWide: fc.boolean() })

describe('patches', () => {
  test('of all changes after any number give the newest document byte for byte', () => {
    fc.assert(
      fc.property(fc.array(state, { minLength: 2, maxLength: 8 }), (states) => {
        const documents = states.map(({ rows, isWide }) =>
          isWide ? documentOf(rows.map((each) => [...each, null]), [{ name: 'b', type: 'json' }]) : documentOf(rows),
        )
        const patches = documents.slice(1).map((to, index) => patchOf(documents[index]!, to))
        for (const [number, document] of documents.entries()) {
          expect(patches.slice(number).reduce(apply, document).equals(documents.at(-1)!)).toBe(true)
        }
      }),
    )
  })

  test('copy the rows that stayed, however they moved', () => {
    const rows = Array.from({ length: 1000 }, (_, number) => [number, 'a text that stays the same'])
    const moved = [...rows.slice(500), [1000, 'new'], ...rows.slice(0, 500)]
    const pieces = patchOf(documentOf(rows), documentOf(moved))
    expect(pieces.filter((piece) => 'copy' in piece)).toHaveLength(2)
    expect(JSON.stringify(pieces).length).toBeLessThan(300)
  })

  test('cut long texts between characters', () => {
    const text = '🚀'.repeat(600_000)
    const pieces = textPieces(Buffer.from(`a${text}`))
    expect(pieces.length).toBeGreaterThan(2)
    expect(apply(Buffer.alloc(0), pieces).toString()).toBe(`a${text}`)
  })
})
