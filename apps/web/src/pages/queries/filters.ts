import type { ReferenceFilters } from '../../api/references.ts'
import { paths } from '../../paths.ts'

/** Filters live in the URL, so that a list can be shared and the back button works. */
export function filtersIn(search: string): ReferenceFilters {
  const given = new URLSearchParams(search)
  return {
    search: given.get('search') ?? '',
    database: given.get('database') ?? '',
    isMine: given.get('createdBy') === 'me',
    folder: given.get('folder') ?? '',
    tag: given.get('tag') ?? '',
    isFavorite: given.get('favoriteOf') === 'me',
  }
}

/** Writes only filters that are set. */
export function addressOf({ search, database, isMine, folder, tag, isFavorite }: ReferenceFilters): string {
  const given = new URLSearchParams({
    ...(search.trim() !== '' && { search }),
    ...(database !== '' && { database }),
    ...(isMine && { createdBy: 'me' }),
    ...(folder !== '' && { folder }),
    ...(tag !== '' && { tag }),
    ...(isFavorite && { favoriteOf: 'me' }),
  })
  return given.size === 0 ? paths.queries : `${paths.queries}?${given}`
}

export const isFiltered = ({ search, database, isMine, folder, tag, isFavorite }: ReferenceFilters) =>
  search.trim() !== '' || database !== '' || isMine || folder !== '' || tag !== '' || isFavorite

export const noFilters: ReferenceFilters = { search: '', database: '', isMine: false, folder: '', tag: '', isFavorite: false }
