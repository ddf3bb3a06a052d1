import { queryOptions, useQuery } from '@tanstack/react-query'
import { type FoundReference, listReferences } from '../../api/references.ts'

/** The list ends here. Older references are found by a search on the server or by their permalink. */
const maxReferences = 1_000

const allReferencesOptions = queryOptions({
  queryKey: ['references', 'to choose from'],
  queryFn: async ({ signal }) => {
    const items: Pick<FoundReference, 'shortId' | 'title'>[] = []
    let cursor: string | undefined
    do {
      const page = await listReferences({ limit: 100, signal, cursor })
      items.push(...page.items.map(({ shortId, title }) => ({ shortId, title })))
      cursor = page.nextCursor
    } while (cursor !== undefined && items.length < maxReferences)
    return items
  },
  staleTime: 30_000,
})

/** The organization's references, to choose from. */
export const useReferences = () => useQuery(allReferencesOptions)

export type ReferencesQuery = ReturnType<typeof useReferences>
