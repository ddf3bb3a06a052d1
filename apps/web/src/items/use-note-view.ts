import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { noteView, recentlyViewedOptions } from '../api/items.ts'
import type { ItemKind } from '../api/items.ts'

/** Remembers once that the person opened this query or board. It is only a convenience, so a failure is not shown. */
export function useNoteView(kind: ItemKind, shortId: string): void {
  const client = useQueryClient()
  useEffect(() => {
    noteView({ kind, shortId }).then(
      () => client.invalidateQueries({ queryKey: recentlyViewedOptions.queryKey }),
      () => undefined,
    )
  }, [client, kind, shortId])
}
