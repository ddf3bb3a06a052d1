import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { applyTheme } from '../shell/theme.ts'
import { allowLibraryStyles } from '../ui/csp-nonce.ts'
import { ViewerPage } from './viewer-page.tsx'
import '../styles/theme.css'

applyTheme()
allowLibraryStyles()

/** `/s/<token>` */
const token = window.location.pathname.split('/')[2] ?? ''

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <ViewerPage token={token} />
  </StrictMode>,
)
