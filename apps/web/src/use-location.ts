import { useRouterState } from '@tanstack/react-router'

/** The URL of the page. */
export function useLocation(): { pathname: string; search: string; hash: string } {
  const href = useRouterState({ select: (state) => state.location.href })
  const { pathname, search, hash } = new URL(href, window.location.origin)
  return { pathname, search, hash }
}
