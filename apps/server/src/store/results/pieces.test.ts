import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestStore, type TestStore } from '../../../testing/store/test-store.ts'
import type { Tx } from '../db.ts'
import { beginResult, finishResult } from './begin-and-finish.ts'
import { insertPieces, resultPieces } from './pieces.ts'

let store: TestStore
beforeAll(async () => {
  store = await openTestStore('postgres')
})
afterAll(() => store.close())

/** Whether the commit of a transaction that does this waits for the disk. */
const waitsForDisk = (act: (tx: Tx) => Promise<unknown>): Promise<boolean> =>
  store.db.transaction().execute(async (tx) => {
    await sql`set local synchronous_commit = on`.execute(tx)
    await act(tx)
    const { rows } = await sql<{ setting: string }>`select current_setting('synchronous_commit') as setting`.execute(tx)
    return rows[0]!.setting === 'on'
  })

test('waits for the disk when a result is complete, not at each of its ranges', async () => {
  const id = 'run_a'
  expect(await waitsForDisk((tx) => beginResult(tx, { runId: id, place: 'postgres', heldUntil: new Date(0) }))).toBe(true)
  expect(await waitsForDisk((tx) => insertPieces(tx, resultPieces, { id, offset: 0, bytes: Buffer.from('some bytes') }))).toBe(false)
  expect(await waitsForDisk((tx) => finishResult(tx, { runId: id, sizeBytes: 10, writtenAt: new Date(0) }))).toBe(true)
})
