import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { boardOptions } from '../../api/boards.ts'
import { WithComments } from '../../comments/with-comments.tsx'
import { useNoteView } from '../../items/use-note-view.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { titleOfTile } from './content/board-content.ts'
import { momentIn } from '../../past/moment.ts'
import { useLocation } from '../../use-location.ts'
import { BoardView } from './view/board-view.tsx'

/** Readers don't need the editor, so it is loaded when somebody starts to edit. */
const BoardEditor = lazy(() => import('./edit/board-editor.tsx'))

/** Most readers look at the present. */
const PastBoard = lazy(() => import('./view/past-board.tsx').then(({ PastBoard: component }) => ({ default: component })))

/** `/b/:shortId`, and `/b/:shortId?at=` for what it showed at a time */
export function BoardPage({ shortId }: { shortId: string }) {
  useNoteView('board', shortId)
  const board = useQuery(boardOptions(shortId))
  const { search } = useLocation()
  const at = momentIn(search)
  const [isEditing, setIsEditing] = useState(false)
  return (
    <Loaded query={board}>
      {(found) =>
        at !== null && !found.parameters.some(({ name }) => name === 'at') ? (
          <Suspense fallback={<Skeleton />}><PastBoard board={found} at={at} /></Suspense>
        ) : isEditing ? (
          <Suspense fallback={<Skeleton />}>
            <BoardEditor board={found} onClose={() => setIsEditing(false)} />
          </Suspense>
        ) : (
          <WithComments kind="board" shortId={shortId} titleOfTile={(tileId) => titleOfTile(found, tileId)}>
            <BoardView board={found} onEdit={() => setIsEditing(true)} />
          </WithComments>
        )
      }
    </Loaded>
  )
}
