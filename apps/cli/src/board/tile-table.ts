import type { Board, BoardResults } from '@querypost/client'
import type { Context } from '../command.ts'
import { drawTable } from '../table.ts'

type TileResult = BoardResults['tiles'][number]

/** Prints the tiles that show queries, with the state of each and its age or error. */
export function writeTiles(context: Context, board: Board, results: BoardResults): void {
  const { stdout, paint, clock } = context
  const columns = [
    { name: 'tile', isNumber: false },
    { name: 'query', isNumber: false },
    { name: 'state', isNumber: false },
    { name: 'result', isNumber: false },
    { name: 'run', isNumber: false, isNeverCut: true },
  ]
  const tiles = new Map(board.tiles.map((tile) => [tile.id, tile]))
  const rows = results.tiles.map((result) => {
    const { title, referenceShortId = '' } = tiles.get(result.tileId) ?? {}
    return [title ?? result.tileId, referenceShortId, result.status, describe(result, clock.now()), result.runId ?? '']
  })
  const width = stdout.isTTY ? (stdout.columns ?? 80) : undefined
  stdout.write(drawTable({ columns, rows, width, paint: paint.stdout }).text)
}

function describe({ failureReason, completedAt }: TileResult, now: Date): string {
  if (failureReason !== null) return failureReason.split('\n')[0]!
  if (completedAt === null) return 'none'
  const minutes = Math.max(0, Math.floor((now.getTime() - new Date(completedAt).getTime()) / 60_000))
  if (minutes < 1) return 'now'
  return minutes < 60 ? `${minutes} min ago` : `${Math.floor(minutes / 60)} h ago`
}
