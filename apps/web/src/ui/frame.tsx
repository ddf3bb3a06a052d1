import type { ReactNode } from 'react'
import { type Session, signOut } from '../api/session.ts'
import { Link, useLocation } from '../location.tsx'
import { paths } from '../paths.ts'
import { Button } from './button.tsx'
import { useUnreadCount } from './use-unread-count.ts'

/** What every page stands in. Without a session it is only the name. */
export function Frame({ session, children }: { session?: Session; children: ReactNode }) {
  return (
    <>
      <header className="frame">
        <Link className="brand" href={paths.home}>Querypost</Link>
        {session && <Navigation session={session} />}
      </header>
      <main>{children}</main>
    </>
  )
}

async function leave(): Promise<void> {
  await signOut().catch(() => undefined)
  // A new document: nothing that was loaded for the one stays in memory for the next. Who could not be signed out sees it there.
  window.location.assign(paths.signIn())
}

function Navigation({ session }: { session: Session }) {
  return (
    <>
      <nav aria-label="Main">
        <NavigationLink href={paths.home}>Queries</NavigationLink>
        <NavigationLink href={paths.automations}>Automations</NavigationLink>
        <NavigationLink href={paths.chats}>Chats</NavigationLink>
        <NavigationLink href={paths.notifications}>Notifications<UnreadCount /></NavigationLink>
        <NavigationLink href={paths.agentSettings}>Settings</NavigationLink>
        <NavigationLink href={paths.account}>Account</NavigationLink>
      </nav>
      <span className="who soft small" title={session.user.email}>{session.user.email}</span>
      <Button onClick={() => void leave()}>Sign out</Button>
    </>
  )
}

function NavigationLink({ href, children }: { href: string; children: ReactNode }) {
  const { pathname } = useLocation()
  const isHere = pathname === href || (href !== paths.home && pathname.startsWith(`${href}/`))
  return <Link href={href} aria-current={isHere ? 'page' : undefined}>{children}</Link>
}

function UnreadCount() {
  const count = useUnreadCount()
  if (count === 0) return null
  return <span className="unread-count" aria-label={`${count} unread`}>{count > 99 ? '99+' : count}</span>
}
