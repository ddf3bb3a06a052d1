import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useReducer, useRef } from 'react'
import { importTable } from '../../api/databases.ts'
import { filePreviewOptions } from '../../api/file-preview.ts'
import { type FileImport, nextImport, reduceImports } from './imports.ts'
import { formatOf, hasPreview } from './table-files.ts'

/** The files being imported into a database, uploaded one at a time. Leaving the page cancels the upload. */
export function useImports(databaseId: string) {
  const [imports, dispatch] = useReducer(reduceImports, [])
  const queryClient = useQueryClient()
  const current = useRef<{ id: number; abort: AbortController }>(undefined)

  const send = useEffectEvent(async (one: FileImport) => {
    const { id, file, tableName, ifExists, keys } = one
    const abort = new AbortController()
    current.current = { id, abort }
    dispatch({ type: 'move', id, state: { kind: 'sending', sentBytes: 0 } })
    const format = formatOf(file.name)
    try {
      // The table is read exactly as the preview shows it.
      const preview = hasPreview(file) ? await queryClient.ensureQueryData(filePreviewOptions(databaseId, one)) : undefined
      abort.signal.throwIfAborted()
      const table = await importTable(
        { databaseId, file, name: tableName, format, ifExists, keys, sheet: one.sheet, ...(preview && { reading: preview.reading }) },
        {
          signal: abort.signal,
          onProgress: ({ sentBytes, totalBytes }) => {
            const isSent = sentBytes === totalBytes
            dispatch({ type: 'move', id, state: isSent ? { kind: 'reading' } : { kind: 'sending', sentBytes } })
          },
        },
      )
      dispatch({ type: 'move', id, state: { kind: 'done', table } })
      void queryClient.invalidateQueries({ queryKey: ['databases'] })
    } catch (error) {
      // A canceled file can be imported again or removed.
      dispatch({ type: 'move', id, state: abort.signal.aborted ? { kind: 'chosen' } : { kind: 'failed', error } })
    }
  })

  const next = nextImport(imports)
  useEffect(() => {
    if (next) void send(next)
  }, [next?.id])
  useEffect(() => () => current.current?.abort.abort(), [])

  const cancel = useCallback((id: number) => {
    if (current.current?.id === id) current.current.abort.abort()
    dispatch({ type: 'move', id, state: { kind: 'chosen' } })
  }, [])
  return { imports, dispatch, cancel }
}
