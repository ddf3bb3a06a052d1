import { useQuery } from '@tanstack/react-query'
import { databaseOptions, tablesOptions } from '../../api/databases.ts'
import { tableUsersOptions } from '../../api/lineage.ts'
import { navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Select } from '../../ui/inputs.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { useLocation } from '../../use-location.ts'
import { UsersList } from './users-list.tsx'

/** `/databases/:id/users?schema&table&column`: what would break if a table or column went away. */
export function TableUsersPage({ databaseId }: { databaseId: string }) {
  const given = new URLSearchParams(useLocation().search)
  const [schema, table, column] = [given.get('schema') ?? '', given.get('table') ?? '', given.get('column') ?? '']
  useTitle(`Uses of ${table}`)
  const database = useQuery(databaseOptions(databaseId))
  const tables = useQuery(tablesOptions(databaseId))
  const users = useQuery(tableUsersOptions(databaseId, { schema, table, ...(column !== '' && { column }) }))
  const columns = tables.data?.find((each) => each.schema === schema && each.name === table)?.columns ?? []
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5 [&>.page-head]:mb-0">
      <PageHead
        title={<span className="[overflow-wrap:anywhere]">Uses of {table}</span>}
        description="What breaks if this table or column goes away"
        above={<TextLink href={paths.database(databaseId)}>{database.data?.name ?? 'Database'}</TextLink>}
      />
      <Field label="Column" className="w-56 max-w-full">
        <Select
          value={column}
          onChange={({ target }) =>
            navigate(paths.tableUsers(databaseId, { schema, table, ...(target.value !== '' && { column: target.value }) }), { replace: true })
          }
        >
          <option value="">Any column</option>
          {columns.map(({ name }) => <option key={name} value={name}>{name}</option>)}
        </Select>
      </Field>
      <Loaded query={users}>
        {(found) => (
          <Card title="Used by">
            <UsersList users={found} nothing={`No saved query uses this ${column === '' ? 'table' : 'column'}.`} />
          </Card>
        )}
      </Loaded>
    </div>
  )
}
