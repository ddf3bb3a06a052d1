import { sql } from 'kysely'
import type { Tx } from '../db.ts'
import { setViewer } from './set-viewer.ts'
import { currentViewer, type Viewer } from './viewer.ts'

/** Does something in a transaction as another person sees it. */
export async function inViewOf<Result>(tx: Tx, viewer: Viewer, act: () => Promise<Result>): Promise<Result> {
  const { rows } = await sql<{ path: string }>`select current_setting('search_path') as path`.execute(tx)
  const before = currentViewer()
  await setViewer(tx, viewer)
  const result = await act()
  if (before) await setViewer(tx, before)
  else await sql`select set_config('search_path', ${rows[0]!.path}, true)`.execute(tx)
  return result
}
