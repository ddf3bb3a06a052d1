import { navigate } from '../../location.tsx'
import { useLocation } from '../../use-location.ts'

type ChangeSearch = (change: Record<string, string>, options?: { replace?: boolean }) => void

/** The query parameters of the URL, and a function to change some of them. An empty value removes the parameter. */
export function useSearchParams(): [URLSearchParams, ChangeSearch] {
  const { pathname, search } = useLocation()
  const values = new URLSearchParams(search)
  return [values, (change, options) => navigate(urlWith(pathname, values, change), options)]
}

export function urlWith(pathname: string, values: URLSearchParams, change: Record<string, string>): string {
  const changed = new URLSearchParams(values)
  for (const [name, value] of Object.entries(change)) {
    if (value === '') changed.delete(name)
    else changed.set(name, value)
  }
  return changed.size === 0 ? pathname : `${pathname}?${changed}`
}
