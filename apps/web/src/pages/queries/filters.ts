import type { ReferenceFilters } from '../../api/references.ts'
import { paths } from '../../paths.ts'

/** Filters live in the URL, so that a list can be shared and the back button works. A folder has a page of its own. */
export function filtersIn({ pathname, search }: { pathname: string; search: string }): ReferenceFilters {
  const given = new URLSearchParams(search)
  const folder = /^\/folders\/([^/]+)/.exec(pathname)?.[1]
  return {
    search: given.get('search') ?? '',
    database: given.get('database') ?? '',
    isMine: given.get('createdBy') === 'me',
    folder: folder === undefined ? (given.get('folder') ?? '') : decodeURIComponent(folder),
    tag: given.get('tag') ?? '',
    isFavorite: given.get('favoriteOf') === 'me',
  }
}

/** Writes only filters that are set. */
export function addressOf({ search, database, isMine, folder, tag, isFavorite }: ReferenceFilters): string {
  const isPage = isFolder(folder)
  const given = new URLSearchParams({
    ...(search.trim() !== '' && { search }),
    ...(database !== '' && { database }),
    ...(isMine && { createdBy: 'me' }),
    ...(folder !== '' && !isPage && { folder }),
    ...(tag !== '' && { tag }),
    ...(isFavorite && { favoriteOf: 'me' }),
  })
  const path = isPage ? paths.folder(folder) : paths.queries
  return given.size === 0 ? path : `${path}?${given}`
}

/** Whether the filter names one folder. */
export const isFolder = (folder: string) => folder !== '' && folder !== 'none'

export const isFiltered = ({ search, database, isMine, folder, tag, isFavorite }: ReferenceFilters) =>
  search.trim() !== '' || database !== '' || isMine || folder !== '' || tag !== '' || isFavorite

export const noFilters: ReferenceFilters = { search: '', database: '', isMine: false, folder: '', tag: '', isFavorite: false }
