import { useEffect, useRef } from 'react'

/**
 * Shows the HTML of an e-mail. The frame's document has a policy of its own, because e-mails need inline styles, and no origin, so
 * nothing in the e-mail can reach the page or the service.
 */
export function EmailFrame({ title, html }: { title: string; html: string }) {
  const frame = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    const write = (event: MessageEvent) => {
      const target = frame.current?.contentWindow
      // The frame has no origin, so it cannot be named as the target.
      if (target && event.source === target && event.data === 'ready') target.postMessage(html, '*')
    }
    window.addEventListener('message', write)
    return () => window.removeEventListener('message', write)
  }, [html])
  return (
    <iframe
      // The document takes one e-mail only.
      key={html}
      ref={frame}
      title={title}
      src="/app/email-frame"
      sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox"
      className="h-[55dvh] w-full rounded-md border border-line bg-surface"
    />
  )
}
