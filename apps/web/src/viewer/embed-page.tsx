import type { EmbedTheme } from '@querypost/embed/protocol'
import { useCallback, useEffect, useMemo, useState } from 'react'
import type { SharedView } from '../api/generated/schemas.ts'
import { Button } from '../ui/button.tsx'
import { watchHeight } from './content-height.ts'
import { applyEmbedTheme } from './embed-theme.ts'
import type { HostChannel } from './host-channel.ts'
import { SharedPage } from './shared-page.tsx'
import { renewalDelayMs, type TokenKeeper } from './token-keeper.ts'
import { makeViewerClient, type ViewerError } from './viewer-client.ts'

/** A query or a board in the frame of another site. */
export function EmbedPage(props: { shortId: string; channel: HostChannel; tokens: TokenKeeper; theme: EmbedTheme }) {
  const { shortId, channel, tokens } = props
  const client = useMemo(
    () => makeViewerClient(`/public/api/embed/${encodeURIComponent(shortId)}`, tokens.current, tokens.renew),
    [shortId, tokens],
  )
  const [view, setView] = useState<SharedView>()
  const [error, setError] = useState<ViewerError>()
  const [theme, setTheme] = useState(props.theme)
  /** Counts tokens that show something else: nothing of the page before stays. */
  const [viewNumber, setViewNumber] = useState(0)
  /** Counts tokens. With each new one, requests that failed are sent again. */
  const [tokenNumber, setTokenNumber] = useState(0)

  const load = useCallback(() => {
    client.readView().then(
      (read) => {
        setView(read)
        setError(undefined)
        channel.send({ type: 'querypost:ready', title: read.title })
      },
      (failure: ViewerError) => {
        setError(failure)
        channel.send({ type: 'querypost:error', code: failure.code, message: failure.message })
      },
    )
  }, [client, channel])
  useEffect(load, [load, tokenNumber])

  useEffect(
    () =>
      tokens.listen(({ isSameView }) => {
        setTokenNumber((number) => number + 1)
        if (isSameView) return
        setView(undefined)
        setViewNumber((number) => number + 1)
      }),
    [tokens],
  )
  useEffect(() => {
    const seconds = view?.tokenExpiresInSeconds
    if (seconds === undefined || seconds === null) return
    // If there is no new token yet, the first request after the old one has expired asks again.
    const timer = setTimeout(() => void tokens.renew().catch(() => undefined), renewalDelayMs(seconds))
    return () => clearTimeout(timer)
  }, [view, tokens])

  useEffect(() => channel.listen((message) => message.type === 'querypost:theme' && setTheme(message.theme)), [channel])
  useEffect(() => applyEmbedTheme(theme), [theme])
  useEffect(
    () => watchHeight(document.getElementById('root')!, (height) => channel.send({ type: 'querypost:height', height })),
    [channel],
  )

  // What is shown stays while the site gets a new token.
  if (view) {
    return (
      <SharedPage
        key={viewNumber}
        view={view}
        client={client}
        isEmbedded
        chartColors={theme.chartColors}
        attempt={tokenNumber}
        onValues={(parameters) => channel.send({ type: 'querypost:parameters', parameters })}
      />
    )
  }
  if (!error) return <p role="status" className="p-6 text-center text-soft">Loading…</p>
  return (
    <div role="alert" className="grid justify-items-center gap-3 p-6 text-center text-soft">
      <p>{error.code === 'embed_token_expired' ? 'This view has expired.' : 'This content can’t be shown right now.'}</p>
      <Button onClick={load}>Try again</Button>
    </div>
  )
}
