import { Download, FileJson, FileSpreadsheet } from 'lucide-react'
import { exportUrl } from '../../api/audit-log.ts'
import { useIsAdmin } from '../../api/session.ts'
import { Button } from '../../ui/button.tsx'
import { NoPermission } from '../../ui/loaded.tsx'
import { Menu, MenuHeading, MenuLink } from '../../ui/menu.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { useSearchParams } from '../webhooks/use-search-params.ts'
import { toAuditFilter, readAuditFilterParams } from './filter-params.ts'
import { KeyUsageList } from './key-usage-list.tsx'
import { RecordList } from './record-list.tsx'
import { RecordPanel } from './record-panel.tsx'

const forAdmins = 'Only admins can see the audit log. Ask an admin to look something up, or to make you an admin.'

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
        description="What people, API keys and the service did in your organization. Records can’t be changed."
        actions={<ExportMenu />}
      />
      <Tabs<TabName>
        label="Audit log"
        current={tab}
        onChange={(name) => setSearch({ tab: name === 'actions' ? '' : name })}
        tabs={[
          { name: 'actions', label: 'Actions', content: <RecordList /> },
          { name: 'keys', label: 'API key usage', content: <KeyUsageList /> },
        ]}
      />
      <RecordPanel id={search.get('record')} onClose={() => setSearch({ record: '' })} />
    </>
  )
}

/** Exports all actions that match the filters. */
function ExportMenu() {
  const [search] = useSearchParams()
  const filter = toAuditFilter(readAuditFilterParams(search), Date.now())
  const hasFilters = Object.keys(filter).length > 0
  return (
    <Menu trigger={<Button icon={<Download />}>Export</Button>}>
      <MenuHeading>{hasFilters ? 'Filtered actions' : 'All actions'}</MenuHeading>
      <MenuLink download href={exportUrl('csv', filter)} icon={<FileSpreadsheet />}>CSV for spreadsheets</MenuLink>
      <MenuLink download href={exportUrl('jsonl', filter)} icon={<FileJson />}>JSON Lines for programs</MenuLink>
    </Menu>
  )
}
