import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Board, boardListKey, boardOptions, createBoard, getBoard, saveBoard } from '../../../api/boards.ts'
import { hasCode } from '../../../api/request.ts'
import { navigate } from '../../../location.tsx'
import { readValues, valuesToSend } from '../../../parameters/values.ts'
import { paths } from '../../../paths.ts'
import { useToast } from '../../../ui/toast.tsx'
import type { BoardContent } from '../content/board-content.ts'
import { useBoardResults } from '../view/use-board-results.ts'
import { ConflictDialog } from './conflict-dialog.tsx'
import { EditingPage } from './editing-page.tsx'

/** Edits a saved board. It keeps the version it started from, so that nobody's changes are overwritten unnoticed. */
export default function BoardEditor({ board, onClose }: { board: Board; onClose(): void }) {
  const { shortId } = board
  const [base] = useState(board)
  const [initial] = useState(() => contentOf(board))
  const [conflict, setConflict] = useState<{ theirs: Board; mine: BoardContent }>()
  const client = useQueryClient()
  const toast = useToast()
  const defaults = readValues(base.parameters, '')
  const results = useBoardResults(shortId, valuesToSend(base.parameters, defaults))

  const finish = (saved: Board, message: string) => {
    client.setQueryData(boardOptions(shortId).queryKey, saved)
    void client.invalidateQueries({ queryKey: ['boards', shortId] })
    void client.invalidateQueries({ queryKey: boardListKey })
    toast.show({ message })
    onClose()
  }
  const saving = useMutation({
    mutationFn: async ({ content, version }: { content: BoardContent; version: number }) => {
      try {
        finish(await saveBoard(shortId, version, content), 'Board saved.')
      } catch (error) {
        if (!hasCode(error, 'version_conflict')) throw error
        setConflict({ theirs: await getBoard(shortId), mine: content })
      }
    },
  })
  const copying = useMutation({
    mutationFn: (content: BoardContent) => createBoard({ ...content, title: `Copy of ${content.title}`.slice(0, 200) }),
    onSuccess: (copy) => {
      void client.invalidateQueries({ queryKey: ['boards'] })
      toast.show({ message: 'Saved as a copy. This is the copy.' })
      navigate(paths.board(copy.shortId), { isConfirmed: true })
    },
  })
  return (
    <>
      <EditingPage
        initial={initial}
        references={base.references}
        results={results.byTile}
        isNew={false}
        isBusy={saving.isPending}
        error={saving.error}
        onSave={(content) => saving.mutate({ content, version: base.version })}
        onCancel={onClose}
      />
      {conflict && (
        <ConflictDialog
          base={base}
          theirs={conflict.theirs}
          isBusy={saving.isPending || copying.isPending}
          error={copying.error}
          onLoadTheirs={() => finish(conflict.theirs, 'Loaded the saved version.')}
          onSaveCopy={() => copying.mutate(conflict.mine)}
          onOverwrite={() => saving.mutate({ content: conflict.mine, version: conflict.theirs.version })}
          onClose={() => setConflict(undefined)}
        />
      )}
    </>
  )
}

function contentOf({ title, description, folderId, parameters, tabs, tiles }: Board): BoardContent {
  return { title, description, folderId, parameters, tabs, tiles }
}
