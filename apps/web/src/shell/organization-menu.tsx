import { ChevronsUpDown } from 'lucide-react'
import { enterOrganization } from '../api/organization.ts'
import { messageOf } from '../api/request.ts'
import { useSession } from '../api/session.ts'
import { paths } from '../paths.ts'
import { Menu, MenuChoice } from '../ui/menu.tsx'
import { useToast } from '../ui/toast.tsx'

/** Shows the current organization and, for people with several, switches between them. */
export function OrganizationMenu() {
  const { organization, organizations } = useSession()
  const toast = useToast()
  if (!organizations || organizations.length < 2) {
    return <p className="shrink-0 truncate px-2 text-xs text-soft" title={organization.name}>{organization.name}</p>
  }
  const enter = async (id: string) => {
    try {
      await enterOrganization(id)
      // Load a new document, so that no data of the old organization stays in memory.
      window.location.assign(paths.home)
    } catch (error) {
      toast.show({ message: messageOf(error), isProblem: true })
    }
  }
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left hover:bg-raised">
          <span className="mr-auto truncate">{organization.name}</span>
          <ChevronsUpDown className="size-4 shrink-0 text-soft" aria-hidden="true" />
        </button>
      }
    >
      <MenuChoice
        label="Organization"
        value={organization.id}
        choices={organizations.map(({ id, name }) => ({ value: id, label: name }))}
        onChange={(id) => void enter(id)}
      />
    </Menu>
  )
}
