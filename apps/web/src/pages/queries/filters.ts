import type { ReferenceFilters } from '../../api/references.ts'
import { paths } from '../../paths.ts'

/** The filters live in the address, so that a list can be sent to somebody and found again with the back button. */
export function filtersIn(search: string): ReferenceFilters {
  const given = new URLSearchParams(search)
  return {
    search: given.get('search') ?? '',
    database: given.get('database') ?? '',
    isMine: given.get('createdBy') === 'me',
  }
}

/** Only what differs from the plain list is written. */
export function addressOf({ search, database, isMine }: ReferenceFilters): string {
  const given = new URLSearchParams({
    ...(search.trim() !== '' && { search }),
    ...(database !== '' && { database }),
    ...(isMine && { createdBy: 'me' }),
  })
  return given.size === 0 ? paths.home : `${paths.home}?${given}`
}

export const isFiltered = ({ search, database, isMine }: ReferenceFilters) =>
  search.trim() !== '' || database !== '' || isMine
