import { queryOptions, useQuery } from '@tanstack/react-query'
import { type FoundReference, listReferences } from '../../api/references.ts'

/** Where the list ends; older references are found by a search at the service, and named by their permalink. */
const most = 1_000

const allReferencesOptions = queryOptions({
  queryKey: ['references', 'to choose from'],
  queryFn: async ({ signal }) => {
    const items: Pick<FoundReference, 'shortId' | 'title'>[] = []
    let cursor: string | undefined
    do {
      const page = await listReferences({ limit: 100, signal, cursor })
      items.push(...page.items.map(({ shortId, title }) => ({ shortId, title })))
      cursor = page.nextCursor
    } while (cursor !== undefined && items.length < most)
    return items
  },
  staleTime: 30_000,
})

/** The organization's references, to choose among. */
export const useReferences = () => useQuery(allReferencesOptions)

export type ReferencesQuery = ReturnType<typeof useReferences>
