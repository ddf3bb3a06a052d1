import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { LayoutDashboard, Plus } from 'lucide-react'
import { boardListKey, boardOptions, boardsOptions, createBoard, getBoard, saveBoard, type Tile } from '../../api/boards.ts'
import type { ReferenceInFull } from '../../api/references.ts'
import { messageOf } from '../../api/request.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Problem } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import { addTile, type BoardContent, emptyBoard, initialSize, mapByName } from './content/board-content.ts'
import { newId } from './edit/new-id.ts'

/** Adds a query to an existing board or to a new one. */
export function AddToBoardDialog({ reference, onClose }: { reference: ReferenceInFull; onClose(): void }) {
  const boards = useInfiniteQuery(boardsOptions)
  const client = useQueryClient()
  const toast = useToast()
  const adding = useMutation({
    mutationFn: async (shortId: string | undefined) => {
      if (shortId === undefined) return createBoard(withReference({ ...emptyBoard, title: reference.title }, reference))
      const board = await getBoard(shortId)
      return saveBoard(shortId, board.version, { tiles: withReference(board, reference).tiles })
    },
    onSuccess: (board) => {
      client.setQueryData(boardOptions(board.shortId).queryKey, board)
      void client.invalidateQueries({ queryKey: boardListKey })
      toast.show({ message: `Added to “${board.title}”.`, action: { label: 'Open board', act: () => navigate(paths.board(board.shortId)) } })
      onClose()
    },
  })
  return (
    <Dialog title="Add to board" description={`Shows the result of “${reference.title}” as a tile.`} isOpen onOpenChange={onClose}>
      <div className="grid gap-3">
        {adding.error && <Problem title="Couldn’t add the tile" message={messageOf(adding.error)} />}
        <Loaded query={boards}>
          {(items) => (
            <ul className="grid gap-1" aria-label="Boards">
              {items.map(({ shortId, title }) => (
                <li key={shortId}>
                  <Button className="w-full justify-start!" icon={<LayoutDashboard />} disabled={adding.isPending} onClick={() => adding.mutate(shortId)}>
                    <span className="truncate">{title}</span>
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </Loaded>
        {boards.hasNextPage && <Button kind="ghost" isBusy={boards.isFetchingNextPage} onClick={() => void boards.fetchNextPage()}>Load more</Button>}
        <Button kind="primary" icon={<Plus />} isBusy={adding.isPending} onClick={() => adding.mutate(undefined)}>New board</Button>
      </div>
    </Dialog>
  )
}

/** Parameters of the same name are mapped, so that the tile follows the board's values. */
function withReference(content: BoardContent, reference: ReferenceInFull): BoardContent {
  const tile: Omit<Tile, 'x' | 'y' | 'width' | 'height'> = { id: newId(), kind: 'reference', referenceShortId: reference.shortId }
  const mapped = mapByName(tile, reference.parameters, content.parameters)
  return addTile(content, mapped, content.tabs[0]?.id, initialSize(tile, reference.visualization?.type))
}
