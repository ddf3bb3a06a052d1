import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyTheme } from '../shell/theme.ts'
import { allowLibraryStyles } from '../ui/csp-nonce.ts'
import { EmbedPage } from './embed-page.tsx'
import { ViewerPage } from './viewer-page.tsx'
import '../styles/theme.css'

/** `/s/<token>` or `/embed/<shortId>?token=<JWT>` */
const [, page, name = ''] = window.location.pathname.split('/')
const search = new URLSearchParams(window.location.search)
const theme = search.get('theme')

applyTheme(theme === 'light' || theme === 'dark' ? theme : undefined)
allowLibraryStyles()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    {page === 'embed' ? <EmbedPage shortId={name} token={search.get('token') ?? undefined} /> : <ViewerPage token={name} />}
  </StrictMode>,
)
