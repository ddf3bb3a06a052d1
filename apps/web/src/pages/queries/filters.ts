import type { ReferenceFilters } from '../../api/references.ts'
import { paths } from '../../paths.ts'

/** Filters live in the URL, so that a list can be shared and the back button works. */
export function filtersIn(search: string): ReferenceFilters {
  const given = new URLSearchParams(search)
  return {
    search: given.get('search') ?? '',
    database: given.get('database') ?? '',
    isMine: given.get('createdBy') === 'me',
  }
}

/** Writes only filters that are set. */
export function addressOf({ search, database, isMine }: ReferenceFilters): string {
  const given = new URLSearchParams({
    ...(search.trim() !== '' && { search }),
    ...(database !== '' && { database }),
    ...(isMine && { createdBy: 'me' }),
  })
  return given.size === 0 ? paths.queries : `${paths.queries}?${given}`
}

export const isFiltered = ({ search, database, isMine }: ReferenceFilters) =>
  search.trim() !== '' || database !== '' || isMine
