import { Outlet } from '@tanstack/react-router'
import { Menu as MenuIcon, X } from 'lucide-react'
import { Dialog } from 'radix-ui'
import { useEffect, useState } from 'react'
import { useSession } from '../api/session.ts'
import { ChartPalette } from '../charts/chart-palette.ts'
import { readDisplayOptions } from '../pages/boards/content/display-options.ts'
import { paths } from '../paths.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { NotificationsBell } from '../ui/notifications-bell.tsx'
import { Brand } from './brand.tsx'
import { CommandMenu } from './command-menu.tsx'
import { ConnectionNotice } from './connection-notice.tsx'
import { Navigation } from './navigation.tsx'
import { useLocation } from '../use-location.ts'
import { ViewingNotice } from './viewing-notice.tsx'

/** The layout of all pages for signed-in people, with the navigation on the left on wide screens. */
export function Shell() {
  const { organization } = useSession()
  const { pathname, search } = useLocation()
  const isBoard = pathname.startsWith('/b/') || pathname === paths.newBoard
  const page = <ChartPalette value={organization.chartPalette}><Outlet /></ChartPalette>
  if (isBoard && readDisplayOptions(search).isOn) {
    return (
      <div className="min-h-dvh">
        <ViewingNotice />
        <ConnectionNotice />
        <main id="content" className="p-4">{page}</main>
      </div>
    )
  }
  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[14rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        Skip to content
      </a>
      <aside className="sticky top-0 hidden h-dvh flex-col gap-4 overflow-y-auto border-r border-line p-3 lg:flex">
        <div className="flex items-center justify-between pl-2">
          <Brand />
          <NotificationsBell />
        </div>
        <Navigation />
      </aside>
      <div className="min-w-0">
        <TopBar />
        <ViewingNotice />
        <ConnectionNotice />
        <main
          id="content"
          tabIndex={-1}
          className={`mx-auto px-4 pt-5 pb-16 outline-none sm:px-6 lg:pt-7 ${isBoard ? 'max-w-[120rem]' : 'max-w-6xl'}`}
        >
          {page}
        </main>
      </div>
      <CommandMenu />
    </div>
  )
}

/** The header on narrow screens: menu button, brand and notifications. */
function TopBar() {
  const [isOpen, setIsOpen] = useState(false)
  const { pathname } = useLocation()
  useEffect(() => setIsOpen(false), [pathname])
  return (
    <header className="sticky top-0 z-30 flex items-center gap-1 border-b border-line bg-paper px-3 py-2 lg:hidden">
      <Dialog.Root open={isOpen} onOpenChange={setIsOpen}>
        <Dialog.Trigger asChild>
          <IconButton label="Menu" icon={<MenuIcon />} />
        </Dialog.Trigger>
        <Dialog.Portal>
          <Dialog.Overlay className="fixed inset-0 z-40 bg-[rgb(0_0_0/0.4)]" />
          <Dialog.Content
            aria-describedby={undefined}
            className="fixed inset-y-0 left-0 z-40 flex w-64 flex-col gap-4 overflow-y-auto border-r border-line bg-paper p-3 outline-none"
          >
            <div className="flex items-center justify-between pl-2">
              <Dialog.Title className="font-semibold">Menu</Dialog.Title>
              <Dialog.Close asChild>
                <IconButton label="Close" icon={<X />} />
              </Dialog.Close>
            </div>
            <Navigation />
          </Dialog.Content>
        </Dialog.Portal>
      </Dialog.Root>
      <div className="mr-auto flex items-center pl-1">
        <Brand />
      </div>
      <NotificationsBell />
    </header>
  )
}
