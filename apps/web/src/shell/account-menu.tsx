import { ChevronsUpDown, CircleUser, LogOut } from 'lucide-react'
import { useState } from 'react'
import { signOut, useSession } from '../api/session.ts'
import { paths } from '../paths.ts'
import { Menu, MenuChoice, MenuDivider, MenuItem, MenuLink } from '../ui/menu.tsx'
import { chooseTheme, readTheme, type Theme } from './theme.ts'

const themes: { value: Theme; label: string }[] = [
  { value: 'system', label: 'As the system' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** Who is signed in, and what concerns only them. */
export function AccountMenu() {
  const { user } = useSession()
  const [theme, setTheme] = useState(readTheme)
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="flex w-full items-center gap-2.5 rounded-md px-2 py-1.5 text-left hover:bg-raised">
          <CircleUser className="size-4 shrink-0 text-soft" aria-hidden="true" />
          <span className="mr-auto min-w-0">
            <span className="block truncate">{user.name}</span>
            <span className="block truncate text-xs text-soft">{user.email}</span>
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-soft" aria-hidden="true" />
        </button>
      }
    >
      <MenuLink href={paths.account} icon={<CircleUser />}>Account and API keys</MenuLink>
      <MenuDivider />
      <MenuChoice
        label="Appearance"
        value={theme}
        choices={themes}
        onChange={(chosen) => {
          chooseTheme(chosen)
          setTheme(chosen)
        }}
      />
      <MenuDivider />
      <MenuItem icon={<LogOut />} onSelect={() => void leave()}>Sign out</MenuItem>
    </Menu>
  )
}

async function leave(): Promise<void> {
  await signOut().catch(() => undefined)
  // A new document: nothing that was loaded for the one stays in memory for the next. Who could not be signed out sees it there.
  window.location.assign(paths.signIn())
}
