import { type AnchorHTMLAttributes, type MouseEvent, useEffect, useSyncExternalStore } from 'react'

/**
 * The address bar as state: `useLocation` reads it, `navigate` and `Link` change it without loading the document
 * anew.
 */
const changes = new EventTarget()

export function navigate(to: string, options: { replace?: boolean } = {}): void {
  if (options.replace) window.history.replaceState(null, '', to)
  else {
    window.history.pushState(null, '', to)
    window.scrollTo(0, 0)
  }
  changes.dispatchEvent(new Event('change'))
}

export function useLocation(): { pathname: string; search: string } {
  const { pathname, search } = new URL(useSyncExternalStore(subscribe, () => window.location.href))
  return { pathname, search }
}

function subscribe(listener: () => void): () => void {
  changes.addEventListener('change', listener)
  window.addEventListener('popstate', listener)
  return () => {
    changes.removeEventListener('change', listener)
    window.removeEventListener('popstate', listener)
  }
}

export function Link({ href, onClick, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement> & { href: string }) {
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    // Everything but a plain click is the browser's: new tab, new window, download.
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
