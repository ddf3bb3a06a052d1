import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { never, storedText } from '../../../../testing/results/stored-result.ts'
import { makeRowComparer, type RowComparer } from '../../../engines/duckdb/compare/row-comparer.ts'
import { systemClock } from '../../../ports/clock.ts'
import { type PatchPiece, patchSteps, textPieces } from '../../../results/archive/document-patch.ts'
import { atOnce } from '../../../results/archive/in-turns.ts'
import { findRows } from '../../../results/archive/row-document.ts'
import { compareStoredResults } from '../compare/compare-results.ts'
import { compareForFeed } from './compare-for-feed.ts'

/**
 * Random histories of a result whose rows have a key. A reader that applies all changes after any result has the newest one: row by row with
 * the rows, byte by byte with the patches. `FEED_RUNS=200` tries more.
 */
const runs = Number(process.env['FEED_RUNS'] ?? 3)

let folder: string
let rowComparer: RowComparer
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'feed-'))
  rowComparer = makeRowComparer({ temporaryDirectory: folder, clock: systemClock })
})
afterAll(async () => {
  await rowComparer.close()
  await rm(folder, { recursive: true })
})

type Row = [id: number, name: string | null, amount: string]
const fields = [{ name: 'id', type: 'integer' }, { name: 'name', type: 'string' }, { name: 'amount', type: 'decimal' }]
const documentOf = (rows: Row[]) => Buffer.from(JSON.stringify({ fields, rows, rowCount: rows.length }))
const opener = (document: Buffer) => async () => storedText(document)

const row = fc.tuple(
  fc.nat(15),
  fc.option(fc.oneof(fc.string({ maxLength: 4, unit: 'binary' }), fc.constantFrom('],[', '"', '\\', 'ü', '🚀', '\n'))),
  fc.constantFrom('0', '1.50', '1.5', '-7', '12345678901234567890.123'),
)
/** Each row has its own id, and any order. */
const table = fc.uniqueArray(row, { selector: ([id]) => id, maxLength: 12 })

interface Change {
  rows: { op: 'add' | 'remove' | 'change'; key: number[]; after?: Row }[]
  patch: PatchPiece[]
}

async function changeBetween(from: Buffer, to: Buffer): Promise<Change> {
  const pair = { from: opener(from), to: opener(to), keyColumns: ['id'], signal: never() }
  const side = (open: ReturnType<typeof opener>) => ({ rowCount: 0, open })
  const compared = await compareForFeed({ rowComparer }, { ...pair, from: side(pair.from), to: side(pair.to), chosenKeyColumns: ['id'] })
  expect(compared).toMatchObject({ isKeyUnique: true, isReplacement: false, problem: null })
  const rows: Change['rows'] = []
  for await (const json of (await compareStoredResults({ rowComparer }, pair)).changes()) rows.push(JSON.parse(json) as Change['rows'][number])
  expect(rows).toHaveLength(compared.added + compared.removed + compared.changed)
  return { rows, patch: patchOf(from, to) }
}

/** As `changePatch` does: a document without rows has no common ones. */
function patchOf(from: Buffer, to: Buffer): PatchPiece[] {
  const [fromRows, toRows] = [atOnce(findRows(from)), atOnce(findRows(to))]
  return fromRows && toRows ? atOnce(patchSteps(fromRows, toRows)) : textPieces(to)
}

const byId = (rows: Row[]) => new Map(rows.map((each) => [each[0], each]))

function applyRows(copy: Map<number, Row>, { rows }: Change): Map<number, Row> {
  for (const { op, key, after } of rows) {
    expect(copy.has(key[0]!)).toBe(op !== 'add')
    if (op === 'remove') copy.delete(key[0]!)
    else copy.set(key[0]!, after!)
  }
  return copy
}

const applyPatch = (document: Buffer, { patch }: Change) =>
  Buffer.concat(patch.map((piece) => ('copy' in piece ? document.subarray(piece.copy[0], piece.copy[0] + piece.copy[1]) : Buffer.from(piece.text))))

test('applying the changes after any result gives the newest one', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(table, { minLength: 2, maxLength: 5 }), async (history) => {
      const documents = history.map(documentOf)
      const changes: Change[] = []
      for (const [index, to] of documents.slice(1).entries()) changes.push(await changeBetween(documents[index]!, to))
      for (const [number, rows] of history.entries()) {
        const after = changes.slice(number)
        expect(after.reduce(applyRows, byId(rows))).toEqual(byId(history.at(-1)!))
        expect(after.reduce(applyPatch, documents[number]!).equals(documents.at(-1)!)).toBe(true)
      }
    }),
    { numRuns: runs },
  )
})
