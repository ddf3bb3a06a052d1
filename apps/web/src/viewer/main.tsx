import { type EmbedTheme, readThemeFragment } from '@querypost/embed/protocol'
import { type ReactNode, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyTheme } from '../shell/theme.ts'
import { allowLibraryStyles } from '../ui/csp-nonce.ts'
import { EmbedPage } from './embed-page.tsx'
import { applyEmbedTheme } from './embed-theme.ts'
import { openHostChannel, readListedOrigins } from './host-channel.ts'
import { makeTokenKeeper } from './token-keeper.ts'
import { ViewerPage } from './viewer-page.tsx'
import '../styles/theme.css'

/** `/s/<token>` or `/embed/<shortId>?token=<JWT>` */
const [, page, name = ''] = window.location.pathname.split('/')

applyTheme()
allowLibraryStyles()
createRoot(document.getElementById('root')!).render(<StrictMode>{page === 'embed' ? embedPage(name) : <ViewerPage token={name} />}</StrictMode>)

/** The channel is open before anything is rendered, so that no message of the host is missed. */
function embedPage(shortId: string): ReactNode {
  const search = new URLSearchParams(window.location.search)
  const theme: EmbedTheme = { ...schemeIn(search), ...readThemeFragment(window.location.hash) }
  applyEmbedTheme(theme)
  const channel = openHostChannel(window, readListedOrigins())
  const tokens = makeTokenKeeper({
    channel,
    first: search.get('token') ?? undefined,
    setTimer: (act, ms) => {
      const timer = setTimeout(act, ms)
      return () => clearTimeout(timer)
    },
  })
  return <EmbedPage shortId={shortId} channel={channel} tokens={tokens} theme={theme} />
}

/** `&theme=dark`, for frames without a script. */
function schemeIn(search: URLSearchParams): EmbedTheme {
  const colorScheme = search.get('theme')
  return colorScheme === 'light' || colorScheme === 'dark' ? { colorScheme } : {}
}
