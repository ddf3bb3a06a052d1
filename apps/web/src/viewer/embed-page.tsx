import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { SharedView } from '../api/generated/schemas.ts'
import { applyTheme } from '../shell/theme.ts'
import { onParentMessage, tellParent } from './embed-messages.ts'
import { SharedPage } from './shared-page.tsx'
import { makeViewerClient, type ViewerError } from './viewer-client.ts'

/** A query or a board in the frame of another site. */
export function EmbedPage({ shortId, token: first }: { shortId: string; token: string | undefined }) {
  const [token, setToken] = useState(first)
  const bearer = useRef(first)
  const client = useMemo(() => makeViewerClient(`/public/api/embed/${encodeURIComponent(shortId)}`, () => bearer.current), [shortId])
  const [view, setView] = useState<SharedView>()
  const [error, setError] = useState<ViewerError>()

  const load = useCallback(() => {
    client.readView().then(
      (read) => {
        setView(read)
        setError(undefined)
        tellParent({ type: 'querypost:ready', title: read.title })
      },
      (failure: ViewerError) => {
        setError(failure)
        tellParent({ type: 'querypost:error', code: failure.code, message: failure.message })
      },
    )
  }, [client])
  useEffect(() => {
    bearer.current = token
    load()
  }, [token, load])

  useEffect(
    () =>
      onParentMessage((message) => {
        if (message.type === 'querypost:token') setToken(message.token)
        else applyTheme(message.theme)
      }),
    [],
  )
  useEffect(() => {
    const observer = new ResizeObserver(() => tellParent({ type: 'querypost:height', height: document.documentElement.scrollHeight }))
    observer.observe(document.body)
    return () => observer.disconnect()
  }, [])

  // What is shown stays while the site gets a new token.
  if (view) return <SharedPage view={view} client={client} isEmbedded />
  if (error) return <p role="alert" className="p-6 text-center text-soft">{error.code === 'embed_token_expired' ? 'This view has expired. Reload the page.' : 'This content can’t be shown.'}</p>
  return <p role="status" className="p-6 text-center text-soft">Loading…</p>
}
