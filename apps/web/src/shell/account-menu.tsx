import { ChevronsUpDown, CircleUser, LogOut } from 'lucide-react'
import { useState } from 'react'
import { signOut, useSession } from '../api/session.ts'
import { paths } from '../paths.ts'
import { Menu, MenuChoice, MenuDivider, MenuItem, MenuLink } from '../ui/menu.tsx'
import { chooseTheme, readTheme, type Theme } from './theme.ts'

const themes: { value: Theme; label: string }[] = [
  { value: 'system', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
]

/** The signed-in person, with account, appearance and sign-out. */
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
      <MenuItem icon={<LogOut />} onSelect={() => void signOutAndReload()}>Sign out</MenuItem>
    </Menu>
  )
}

async function signOutAndReload(): Promise<void> {
  await signOut().catch(() => undefined)
  // Load a new document, so that no data stays in memory for the next person. If signing out failed, that page shows it.
  window.location.assign(paths.signIn())
}
