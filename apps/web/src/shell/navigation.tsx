import {
  BookOpen,
  Bot,
  Building2,
  Database,
  FileSearch,
  HardDrive,
  History,
  House,
  LayoutDashboard,
  Lightbulb,
  LockKeyhole,
  MessagesSquare,
  Plus,
  ScrollText,
  Search,
  Send,
  Share2,
  Trash2,
  Users,
  Webhook,
  Zap,
} from 'lucide-react'
import type { ReactNode } from 'react'
import { useSession } from '../api/session.ts'
import { Link } from '../location.tsx'
import { documentation, paths } from '../paths.ts'
import { ButtonLink } from '../ui/button.tsx'
import { AccountMenu } from './account-menu.tsx'
import { openCommandMenu } from './command-menu.tsx'
import { OrganizationMenu } from './organization-menu.tsx'
import { useLocation } from '../use-location.ts'

/** The main navigation. */
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
          <span className="mr-auto">Go to…</span>
          <kbd className="font-sans text-xs" aria-hidden="true">{isMac ? '⌘K' : 'Ctrl K'}</kbd>
        </button>
      </div>
      {/* Scrolls on low screens, so that the account menu stays in view. The padding leaves room for the outline of the focus. */}
      <nav aria-label="Main" className="-m-1 grid min-h-40 flex-1 content-start gap-0.5 overflow-y-auto p-1">
        <NavigationLink href={paths.home} icon={<House />}>Home</NavigationLink>
        <NavigationLink href={paths.boards} icon={<LayoutDashboard />} also={['/b/']}>Boards</NavigationLink>
        <NavigationLink href={paths.queries} icon={<FileSearch />} also={['/q/', '/runs']}>Queries</NavigationLink>
        <NavigationLink href={paths.chats} icon={<MessagesSquare />} also={['/ask']}>Chats</NavigationLink>
        <NavigationLink href={paths.automations} icon={<Zap />}>Automations</NavigationLink>
        <NavigationLink href={paths.databases} icon={<Database />}>Databases</NavigationLink>
        <NavigationLink href={paths.knowledge} icon={<Lightbulb />}>Knowledge</NavigationLink>
        <h2 className="mt-4 mb-1 px-2 text-xs font-medium text-soft">Settings</h2>
        <NavigationLink href={paths.organizationSettings} icon={<Building2 />}>Organization</NavigationLink>
        <NavigationLink href={paths.memberSettings} icon={<Users />}>Members</NavigationLink>
        {role === 'admin' && <NavigationLink href={paths.access} icon={<LockKeyhole />}>Access</NavigationLink>}
        <NavigationLink href={paths.agentSettings} icon={<Bot />}>Agents</NavigationLink>
        <NavigationLink href={paths.channels} icon={<Send />}>Channels</NavigationLink>
        {role === 'admin' && <NavigationLink href={paths.sharing} icon={<Share2 />}>Sharing</NavigationLink>}
        {role === 'admin' && <NavigationLink href={paths.resultHistory} icon={<History />}>Result history</NavigationLink>}
        {role === 'admin' && <NavigationLink href={paths.storage} icon={<HardDrive />}>Storage</NavigationLink>}
        {role === 'admin' && <NavigationLink href={paths.webhooks} icon={<Webhook />}>Webhooks</NavigationLink>}
        {role === 'admin' && <NavigationLink href={paths.auditLog} icon={<ScrollText />}>Audit log</NavigationLink>}
      </nav>
      <div className="grid gap-0.5">
        <NavigationLink href={paths.trash} icon={<Trash2 />}>Trash</NavigationLink>
        <NavigationLink href={documentation.start} icon={<BookOpen />}>Documentation</NavigationLink>
        <AccountMenu />
      </div>
    </>
  )
}

const isMac = /mac|iphone|ipad/i.test(navigator.platform)

function NavigationLink({ href, icon, also = [], children }: { href: string; icon: ReactNode; also?: string[]; children: ReactNode }) {
  const { pathname } = useLocation()
  const prefixes = [...also, ...(href === paths.home ? [] : [`${href}/`])]
  const isCurrent = pathname === href || prefixes.some((prefix) => pathname.startsWith(prefix))
  return (
    <Link
      href={href}
      aria-current={isCurrent ? 'page' : undefined}
      className="flex items-center gap-2.5 rounded-md px-2 py-1.5 text-soft no-underline hover:bg-raised hover:text-ink aria-[current]:bg-raised aria-[current]:font-medium aria-[current]:text-ink [&_svg]:size-4"
    >
      {icon}
      {children}
    </Link>
  )
}
