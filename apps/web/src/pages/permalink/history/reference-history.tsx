import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { databasesOptions } from '../../../api/databases.ts'
import { foldersOptions } from '../../../api/folders.ts'
import { referenceVersionOptions, referenceVersionsOptions, restoreReferenceVersion } from '../../../api/references.ts'
import { inTreeOrder } from '../../../items/folder-order.ts'
import { Loaded } from '../../../ui/loaded.tsx'
import { ChangeList, Compared } from '../../../versions/changes.tsx'
import { VersionsPanel } from '../../../versions/versions-panel.tsx'
import { describeVersion } from './describe-version.ts'
import { settingsText } from './reference-text.ts'

/** Every saved state of a query. */
export function ReferenceHistory({ shortId, onClose }: { shortId: string; onClose(): void }) {
  const client = useQueryClient()
  const versions = useInfiniteQuery(referenceVersionsOptions(shortId))
  const restore = async (number: number) => {
    await restoreReferenceVersion(shortId, number)
    await client.invalidateQueries({ queryKey: ['references'] })
    void client.invalidateQueries({ queryKey: ['knowledge'] })
  }
  return (
    <VersionsPanel
      versions={versions}
      restore={restore}
      describe={(version) => <ChangeList changes={describeVersion(version)} />}
      compare={({ number }) => <Comparison shortId={shortId} number={number} />}
      onClose={onClose}
    />
  )
}

const comparing = <p className="text-xs text-soft" role="status">Comparing…</p>

function Comparison({ shortId, number }: { shortId: string; number: number }) {
  const after = useQuery(referenceVersionOptions(shortId, number))
  const before = useQuery(referenceVersionOptions(shortId, number - 1))
  const { data: folders = [] } = useQuery(foldersOptions)
  const { data: databases = [] } = useQuery(databasesOptions())
  const names = {
    folder: (wanted: string) => inTreeOrder(folders).find(({ id }) => id === wanted)?.path,
    database: (wanted: string) => databases.find(({ id }) => id === wanted)?.name,
  }
  return (
    <Loaded query={after} skeleton={comparing}>
      {(latter) => (
        <Loaded query={before} skeleton={comparing}>
          {(former) => (
            <>
              <Compared heading="SQL" before={former.sql} after={latter.sql} />
              <Compared heading="Settings" before={settingsText(former, names)} after={settingsText(latter, names)} />
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  )
}
