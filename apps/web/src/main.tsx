import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { makeQueryClient } from './api/query-client.ts'
import { onSessionEnd } from './api/request.ts'
import { sessionOptions } from './api/session.ts'
import { makeRouter, preloadFirstPage } from './router.tsx'
import { applyTheme } from './shell/theme.ts'
import { allowLibraryStyles } from './ui/csp-nonce.ts'
import { ToastProvider } from './ui/toast.tsx'
import { TooltipProvider } from './ui/tooltip.tsx'
import './styles/theme.css'

applyTheme()
allowLibraryStyles()

const queryClient = makeQueryClient()
const router = makeRouter(queryClient)
preloadFirstPage(router)

// An ended session is noticed with the next request of an open page. The router then shows the sign-in page.
onSessionEnd(() => {
  if (queryClient.getQueryData(sessionOptions.queryKey) === null) return
  queryClient.setQueryData(sessionOptions.queryKey, null)
  void router.invalidate()
})

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <TooltipProvider delayDuration={400}>
        <ToastProvider>
          <RouterProvider router={router} />
        </ToastProvider>
      </TooltipProvider>
    </QueryClientProvider>
  </StrictMode>,
)
