import { useQuery } from '@tanstack/react-query'
import { accessOptions, groupsOptions, setDatabaseLevels, setFolderLevels } from '../../api/access.ts'
import { useIsAdmin } from '../../api/session.ts'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { AskAnAdmin } from '../organization/ask-an-admin.tsx'
import { AttributesCard } from './attributes-card.tsx'
import { folderRows } from './folder-rows.ts'
import { GroupsCard } from './groups-card.tsx'
import { LevelTable } from './level-table.tsx'
import { RowRulesCard } from './row-rules-card.tsx'

/** Groups, which databases and folders they may use, and which rows members see. */
export function AccessPage() {
  useTitle('Groups and access')
  const isAdmin = useIsAdmin()
  return (
    <div className="grid max-w-6xl gap-6 [&>.page-head]:mb-0">
      <PageHead
        title="Groups and access"
        description="By default, every member can query all databases and edit all folders. Lower what everyone may do, then give groups more."
      />
      {isAdmin ? <AccessSettings /> : <AskAnAdmin what="Only admins can see and change access." />}
    </div>
  )
}

const highestLevelCounts = 'The highest level of Everyone and all groups of a member counts, so “No access” for a group takes nothing away.'

function AccessSettings() {
  const groups = useQuery(groupsOptions)
  const access = useQuery(accessOptions)
  return (
    <Loaded query={groups}>
      {(items) => (
        <>
          <GroupsCard groups={items} />
          <Loaded query={access}>
            {({ databases, folders }) => (
              <>
                <Card
                  title="Databases"
                  description={`Without access, the database and every query, result, chat and automation that reads it are hidden. ${highestLevelCounts}`}
                  className="min-w-0"
                >
                  <LevelTable
                    what="database"
                    groups={items}
                    rows={databases.map((database) => ({ ...database, depth: 0 }))}
                    levels={{ none: 'No access', query: 'Query', manage: 'Manage' }}
                    ofEveryone="query"
                    ofGroups="none"
                    save={setDatabaseLevels}
                  />
                </Card>
                <Card
                  title="Folders"
                  description={`Folders inside another one have its access, unless you choose otherwise. Everything in a hidden folder is hidden. ${highestLevelCounts}`}
                  className="min-w-0"
                >
                  <LevelTable
                    what="folder"
                    groups={items}
                    rows={folderRows(folders)}
                    levels={{ none: 'No access', view: 'View', edit: 'Edit' }}
                    ofEveryone="edit"
                    ofGroups="none"
                    save={setFolderLevels}
                  />
                </Card>
                <RowRulesCard databases={databases} />
                <AttributesCard />
              </>
            )}
          </Loaded>
        </>
      )}
    </Loaded>
  )
}
