import { useQueryClient } from '@tanstack/react-query'
import { foldersOptions } from '../api/folders.ts'
import { trashOptions } from '../api/items.ts'

/** Reads again everything that depends on which queries and boards there are, and where. */
export function useRefreshItems() {
  const client = useQueryClient()
  return async (): Promise<void> => {
    const keys = [['references', 'found'], ['boards', 'list'], ['items'], foldersOptions.queryKey, trashOptions.queryKey]
    await Promise.all(keys.map((queryKey) => client.invalidateQueries({ queryKey })))
  }
}
