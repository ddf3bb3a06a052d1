import { useQuery } from '@tanstack/react-query'
import { storedTablesOptions } from '../../api/storage.ts'
import { documentation } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { fileSize } from '../../ui/file-size.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'

/** `/settings/storage`: how large the tables of the store are, and what limits them. For the admins of the only organization. */
export function StoragePage() {
  useTitle('Storage')
  const tables = useQuery(storedTablesOptions)
  return (
    <div className="grid max-w-3xl grid-cols-[minmax(0,1fr)] gap-6 [&>.page-head]:mb-0">
      <PageHead title="Storage" description="How large the tables of the store are, and how long their rows are kept." />
      <Loaded query={tables}>
        {(items) => (
          <Card
            title={`${items.length} tables with ${fileSize(items.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0))}`}
            description="Sizes include indexes. Numbers of rows are estimates."
          >
            <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
              <ul className="divide-y divide-line border-t border-line" aria-label="Tables by size">
                {items.map(({ table, sizeBytes, rowCount, kept }) => (
                  <li key={table} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 py-2">
                    <span className="mr-auto min-w-0">
                      <span className="font-mono text-sm [overflow-wrap:anywhere]">{table}</span>
                      <span className="block text-sm text-soft">{kept}</span>
                    </span>
                    {rowCount !== null && <span className="text-sm text-soft tabular-nums">{rowCount.toLocaleString('en')} rows</span>}
                    <span className="tabular-nums">{fileSize(sizeBytes)}</span>
                  </li>
                ))}
              </ul>
              <p className="text-soft">
                Times in capitals are settings of the service. <TextLink href={documentation.retention}>What they mean</TextLink>
              </p>
            </div>
          </Card>
        )}
      </Loaded>
    </div>
  )
}
