import type { ReactNode } from 'react'
import { type Session, signOut } from '../api/session.ts'
import { Link, useLocation } from '../location.tsx'
import { paths } from '../paths.ts'
import { Button } from './button.tsx'

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
  const { pathname } = useLocation()
  const link = (href: string, text: string) => (
    <Link href={href} aria-current={pathname === href ? 'page' : undefined}>{text}</Link>
  )
  return (
    <>
      <nav>
        {link(paths.home, 'Queries')}
        {link(paths.account, 'Account')}
      </nav>
      <span className="who soft small" title={session.user.email}>{session.user.email}</span>
      <Button onClick={() => void leave()}>Sign out</Button>
    </>
  )
}
