import { Download, FileJson, FileSpreadsheet } from 'lucide-react'
import { exportAddress } from '../../api/audit-log.ts'
import { useIsAdmin } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { NoPermission } from '../../ui/loaded.tsx'
import { Menu, MenuHeading, MenuLink } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { useSearchParams } from '../webhooks/use-search-params.ts'
import { filterOf, readChoice } from './choice.ts'
import { KeyUseList } from './key-use-list.tsx'
import { RecordList } from './record-list.tsx'
import { RecordPanel } from './record-panel.tsx'

const forAdmins =
  'The audit log is for the admins of your organization. Ask one of them to look something up, or to make you an admin.'

const tabNames = ['actions', 'keys'] as const
type TabName = (typeof tabNames)[number]

/** Who did what in the organization, and how its API keys are used. */
export function AuditLogPage() {
  useTitle('Audit log')
  return useIsAdmin() ? <AuditLog /> : <NoPermission message={forAdmins} />
}

function AuditLog() {
  const [search, setSearch] = useSearchParams()
  const tab = tabNames.find((name) => name === search.get('tab')) ?? 'actions'
  return (
    <>
      <PageHead
        title="Audit log"
        description="What people, API keys and the service itself have done in your organization. Records are never changed."
        actions={<ExportMenu />}
      />
      <Tabs<TabName>
        label="Parts of the audit log"
        current={tab}
        onChange={(name) => setSearch({ tab: name === 'actions' ? '' : name })}
        tabs={[
          { name: 'actions', label: 'Actions', content: <RecordList /> },
          { name: 'keys', label: 'Use of API keys', content: <KeyUseList /> },
        ]}
      />
      <RecordPanel id={search.get('record')} onClose={() => setSearch({ record: '' })} />
    </>
  )
}

/** What the filters leave, all of it: the file has no pages. */
function ExportMenu() {
  const [search] = useSearchParams()
  const filter = filterOf(readChoice(search), Date.now())
  const hasFilters = Object.keys(filter).length > 0
  return (
    <Menu trigger={<Button icon={<Download />}>Export</Button>}>
      <MenuHeading>{hasFilters ? 'Actions that the filters leave' : 'All actions'}</MenuHeading>
      <MenuLink download href={exportAddress('csv', filter)} icon={<FileSpreadsheet />}>CSV for spreadsheets</MenuLink>
      <MenuLink download href={exportAddress('jsonl', filter)} icon={<FileJson />}>JSON lines for programs</MenuLink>
    </Menu>
  )
}
