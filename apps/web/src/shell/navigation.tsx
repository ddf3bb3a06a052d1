import { BookOpen, Bot, Building2, Database, FileSearch, MessagesSquare, Plus, ScrollText, Search, Users, Webhook, Zap } from 'lucide-react'
import type { ReactNode } from 'react'
import { useSession } from '../api/session.ts'
import { Link, useLocation } from '../location.tsx'
import { documentation, paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { AccountMenu } from './account-menu.tsx'
import { openCommandMenu } from './command-menu.tsx'
import { OrganizationMenu } from './organization-menu.tsx'

/** The way to every place. */
export function Navigation() {
  const { role } = useSession()
  return (
    <>
      <OrganizationMenu />
      <div className="grid gap-2">
        <ButtonLink kind="primary" icon={<Plus />} href={paths.newQuery()} className="w-full">New query</ButtonLink>
        <button
          type="button"
          onClick={openCommandMenu}
          className="flex h-8.5 items-center gap-2 rounded-md border border-line px-3 text-soft hover:bg-raised [&_svg]:size-4"
        >
          <Search aria-hidden="true" />
          <span className="mr-auto">Go to …</span>
          <kbd className="font-sans text-xs" aria-hidden="true">{isMac ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
      </div>
      <nav aria-label="Main" className="grid gap-0.5">
        <Place href={paths.home} icon={<FileSearch />} also={['/q/', '/queries/', '/runs/']}>Queries</Place>
        <Place href={paths.automations} icon={<Zap />}>Automations</Place>
        <Place href={paths.chats} icon={<MessagesSquare />}>Chats</Place>
        <Place href={paths.databases} icon={<Database />}>Databases</Place>
        <h2 className="mt-4 mb-1 px-2 text-xs font-medium text-soft">Settings</h2>
        <Place href={paths.organizationSettings} icon={<Building2 />}>Organization</Place>
        <Place href={paths.memberSettings} icon={<Users />}>Members</Place>
        <Place href={paths.agentSettings} icon={<Bot />}>Agents</Place>
        {role === 'admin' && <Place href={paths.webhooks} icon={<Webhook />}>Webhooks</Place>}
        {role === 'admin' && <Place href={paths.auditLog} icon={<ScrollText />}>Audit log</Place>}
      </nav>
      <div className="mt-auto grid gap-0.5">
        <Place href={documentation.start} icon={<BookOpen />}>Documentation</Place>
        <AccountMenu />
      </div>
    </>
  )
}

const isMac = /mac|iphone|ipad/i.test(navigator.platform)

function Place({ href, icon, also = [], children }: { href: string; icon: ReactNode; also?: string[]; children: ReactNode }) {
  const { pathname } = useLocation()
  const below = [...also, ...(href === paths.home ? [] : [`${href}/`])]
  const isHere = pathname === href || below.some((start) => pathname.startsWith(start))
  return (
    <Link
      href={href}
      aria-current={isHere ? 'page' : undefined}
      className="flex items-center gap-2.5 rounded-md px-2 py-1.5 text-soft no-underline hover:bg-raised hover:text-ink aria-[current]:bg-raised aria-[current]:font-medium aria-[current]:text-ink [&_svg]:size-4"
    >
      {icon}
      {children}
    </Link>
  )
}
