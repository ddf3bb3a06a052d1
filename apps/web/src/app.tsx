import { messageOf } from './api/request.ts'
import type { Session } from './api/session.ts'
import { Redirect, useLocation } from './location.tsx'
import { AccountPage } from './pages/account/account-page.tsx'
import { HomePage } from './pages/home-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { PermalinkPage } from './pages/permalink/permalink-page.tsx'
import { SignInPage } from './pages/sign-in-page.tsx'
import { paths, returnToIn, shortIdIn } from './paths.ts'
import { Frame } from './ui/frame.tsx'
import { Loading, Problem } from './ui/notice.tsx'
import { useSession } from './use-session.ts'

/** Which page is shown: by the address, and by whether somebody is signed in. */
export function App() {
  const { pathname, search } = useLocation()
  const { session, reload } = useSession()
  if (pathname === missingPath) return <NotFoundPage />
  if (session.status === 'loading') return <Frame><Loading /></Frame>
  if (session.status === 'failed') {
    return <Frame><Problem message={messageOf(session.error)} onRetry={reload} /></Frame>
  }
  if (pathname === '/sign-in') {
    return session.value ? <Redirect to={returnToIn(search, window.location.origin)} /> : <SignInPage onSignedIn={reload} />
  }
  if (!session.value) return <Redirect to={paths.signIn(pathname + search)} />
  return <Frame session={session.value}><Page pathname={pathname} session={session.value} /></Frame>
}

function Page({ pathname, session }: { pathname: string; session: Session }) {
  const shortId = shortIdIn(pathname)
  if (shortId !== undefined) return <PermalinkPage key={shortId} shortId={shortId} />
  if (pathname === paths.home) return <HomePage organizationName={session.organization.name} />
  if (pathname === paths.account) return <AccountPage session={session} />
  return <NotFoundPage isInFrame />
}

/**
 * The path of a permalink that the service answered with 404, so that nobody signs in for nothing. A browser that does not
 * tell the status comes to the same page after signing in.
 */
const missingPath = (() => {
  const [loading] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return loading?.responseStatus === 404 ? window.location.pathname : undefined
})()
