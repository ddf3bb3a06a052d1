import { type AnchorHTMLAttributes, type MouseEvent, useEffect } from 'react'
import { sharedHistory } from './history.ts'
import { isPagePath } from './paths.ts'

/**
 * `navigate` and `Link` change the URL without reloading the document. They take the paths that `paths.ts` builds, including the query.
 * Other documents of the site, such as the documentation, are loaded by the browser, and so is everything from a page without a router.
 */
export function navigate(to: string, options: { replace?: boolean; isConfirmed?: boolean } = {}): void {
  // Pages with unsaved changes ask before they are left, unless they have done so or have saved.
  const { replace = false, isConfirmed = false } = options
  const history = sharedHistory()
  if (!history || !isPagePath(new URL(to, window.location.origin).pathname)) window.location.assign(to)
  else if (replace) history.replace(to, undefined, { ignoreBlocker: isConfirmed })
  else history.push(to, undefined, { ignoreBlocker: isConfirmed })
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
