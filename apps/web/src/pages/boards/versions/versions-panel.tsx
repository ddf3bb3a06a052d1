import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Board, boardListKey, boardOptions, boardVersionOptions, boardVersionsOptions, restoreBoardVersion } from '../../../api/boards.ts'
import { ChangeList, Compared } from '../../../versions/changes.tsx'
import { VersionsPanel } from '../../../versions/versions-panel.tsx'
import { describeChanges } from '../content/describe-changes.ts'
import { boardText } from './board-text.ts'

/** Every saved state of a board. */
export function BoardVersionsPanel({ board, onClose }: { board: Board; onClose(): void }) {
  const { shortId } = board
  const client = useQueryClient()
  const versions = useInfiniteQuery(boardVersionsOptions(shortId))
  const restore = async (number: number) => {
    await restoreBoardVersion(shortId, number)
    await client.invalidateQueries({ queryKey: boardOptions(shortId).queryKey })
    void client.invalidateQueries({ queryKey: boardListKey })
  }
  return (
    <VersionsPanel
      versions={versions}
      restore={restore}
      describe={({ number }) => <Changes board={board} number={number} />}
      compare={({ number }) => <Comparison board={board} number={number} />}
      onClose={onClose}
    />
  )
}

function useVersions({ shortId }: Board, number: number) {
  const after = useQuery(boardVersionOptions(shortId, number))
  const before = useQuery({ ...boardVersionOptions(shortId, number - 1), enabled: number > 1 })
  return { before, after, isFailed: after.isError || before.isError }
}

const titlesOn = (board: Board) => (shortId: string) => board.references.find((reference) => reference.shortId === shortId)?.title

/** What changed with a version, compared with the one before it. */
function Changes({ board, number }: { board: Board; number: number }) {
  const { before, after, isFailed } = useVersions(board, number)
  if (number === 1) return <p className="text-sm">Created the board</p>
  if (!after.data || !before.data) return isFailed ? null : <p className="text-sm text-soft" role="status">Comparing…</p>
  const changes = describeChanges(before.data, after.data, titlesOn(board))
  if (changes.length === 0) return <p className="text-sm text-soft">No changes to its content</p>
  return <ChangeList changes={changes} />
}

function Comparison({ board, number }: { board: Board; number: number }) {
  const { before, after } = useVersions(board, number)
  if (!after.data || !before.data) return null
  const [former, latter] = [before.data, after.data].map((version) => boardText(version, titlesOn(board)))
  return former === latter ? <p className="text-xs text-soft">No changes to its content</p> : <Compared heading="Board" before={former!} after={latter!} />
}
