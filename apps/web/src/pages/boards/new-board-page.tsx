import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { boardListKey, createBoard } from '../../api/boards.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Hint } from '../../ui/notice.tsx'
import { useToast } from '../../ui/toast.tsx'
import { emptyBoard } from './content/board-content.ts'
import { EditingPage } from './edit/editing-page.tsx'
import { takeDraft } from './list/kept-draft.ts'

const noResults = new Map()

/** `/boards/new`: an empty board, or a draft to review. Nothing is stored until it is saved. */
export function NewBoardPage() {
  const [draft] = useState(takeDraft)
  const client = useQueryClient()
  const toast = useToast()
  const saving = useMutation({
    mutationFn: createBoard,
    onSuccess: (board) => {
      void client.invalidateQueries({ queryKey: boardListKey })
      toast.show({ message: 'Board saved.' })
      navigate(paths.board(board.shortId), { isConfirmed: true })
    },
  })
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {draft && (
        <Hint>
          <p>This is a draft. Check the tiles, then save the board.</p>
          {draft.notes.length > 0 && <ul className="list-disc pl-5">{draft.notes.map((note) => <li key={note}>{note}</li>)}</ul>}
        </Hint>
      )}
      <EditingPage
        initial={draft ? { ...emptyBoard, ...draft.content } : emptyBoard}
        references={draft?.references ?? []}
        results={noResults}
        isNew
        isBusy={saving.isPending}
        error={saving.error}
        onSave={(content) => saving.mutate(content)}
      />
    </div>
  )
}
