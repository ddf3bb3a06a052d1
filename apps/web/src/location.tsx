import { useRouterState } from '@tanstack/react-router'
import { type AnchorHTMLAttributes, type MouseEvent, useEffect } from 'react'
import { browserHistory } from './history.ts'
import { isPagePath } from './paths.ts'

/**
 * `useLocation` reads the URL; `navigate` and `Link` change it without reloading the document. They take the paths that `paths.ts`
 * builds, including the query. Other documents of the site, such as the documentation, are loaded by the browser.
 */
export function navigate(to: string, options: { replace?: boolean; isConfirmed?: boolean } = {}): void {
  // Pages with unsaved changes ask before they are left, unless they have done so or have saved.
  const { replace = false, isConfirmed = false } = options
  if (!isPagePath(new URL(to, window.location.origin).pathname)) window.location.assign(to)
  else if (replace) browserHistory().replace(to, undefined, { ignoreBlocker: isConfirmed })
  else browserHistory().push(to, undefined, { ignoreBlocker: isConfirmed })
}

export function useLocation(): { pathname: string; search: string; hash: string } {
  const href = useRouterState({ select: (state) => state.location.href })
  const { pathname, search, hash } = new URL(href, window.location.origin)
  return { pathname, search, hash }
}

export type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }

export function Link({ href, onClick, ...rest }: LinkProps) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented) return
    // Leave anything but a plain click to the browser, such as opening a new tab.
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(href)
  }
  return <a href={href} onClick={follow} {...rest} />
}

export function Redirect({ to }: { to: string }) {
  useEffect(() => navigate(to, { replace: true }), [to])
  return null
}
