import { messageOf } from './api/request.ts'
import type { Session } from './api/session.ts'
import { Redirect, useLocation } from './location.tsx'
import { AccountPage } from './pages/account/account-page.tsx'
import { AgentSettingsPage } from './pages/agent-settings/agent-settings-page.tsx'
import { AutomationPage } from './pages/automations/automation-page.tsx'
import { AutomationsPage } from './pages/automations/automations-page.tsx'
import { NewAutomationPage } from './pages/automations/new-automation-page.tsx'
import { ChatPage } from './pages/chats/chat-page.tsx'
import { ChatsPage } from './pages/chats/chats-page.tsx'
import { HomePage } from './pages/home-page.tsx'
import { NotFoundPage } from './pages/not-found-page.tsx'
import { NotificationsPage } from './pages/notifications/notifications-page.tsx'
import { PermalinkPage } from './pages/permalink/permalink-page.tsx'
import { RunPage } from './pages/runs/run-page.tsx'
import { SignInPage } from './pages/sign-in-page.tsx'
import { paths, placeOf, returnToIn } from './paths.ts'
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
  const place = placeOf(pathname)
  switch (place?.page) {
    case 'home':
      return <HomePage organizationName={session.organization.name} />
    case 'permalink':
      return <PermalinkPage key={place.shortId} shortId={place.shortId} />
    case 'automations':
      return <AutomationsPage />
    case 'new_automation':
      return <NewAutomationPage />
    case 'automation':
      return <AutomationPage key={place.id} id={place.id} />
    case 'chats':
      return <ChatsPage />
    case 'chat':
      return <ChatPage key={place.shortId} shortId={place.shortId} session={session} />
    case 'run':
      return <RunPage key={place.id} runId={place.id} />
    case 'notifications':
      return <NotificationsPage session={session} />
    case 'agent_settings':
      return <AgentSettingsPage session={session} />
    case 'account':
      return <AccountPage session={session} />
    default:
      return <NotFoundPage isInFrame />
  }
}

/**
 * The path of a permalink that the service answered with 404, so that nobody signs in for nothing. A browser that
 * does not tell the status comes to the same page after signing in.
 */
const missingPath = (() => {
  const [loading] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return loading?.responseStatus === 404 ? window.location.pathname : undefined
})()
