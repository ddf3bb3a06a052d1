import { navigate, useLocation } from '../../location.tsx'

type ChangeSearch = (change: Record<string, string>, options?: { replace?: boolean }) => void

/** The values of the address, and the way to change some of them; an empty one is left out. */
export function useSearch(): [URLSearchParams, ChangeSearch] {
  const { pathname, search } = useLocation()
  const values = new URLSearchParams(search)
  return [values, (change, options) => navigate(addressWith(pathname, values, change), options)]
}

export function addressWith(pathname: string, values: URLSearchParams, change: Record<string, string>): string {
  const changed = new URLSearchParams(values)
  for (const [name, value] of Object.entries(change)) {
    if (value === '') changed.delete(name)
    else changed.set(name, value)
  }
  return changed.size === 0 ? pathname : `${pathname}?${changed}`
}
