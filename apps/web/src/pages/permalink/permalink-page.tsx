import { useQuery } from '@tanstack/react-query'
import { referenceOptions } from '../../api/references.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { BeingWritten } from './being-written.tsx'
import { ReferenceView } from './reference-view.tsx'

const lookAgainMs = 1500

/** `/q/:shortId` */
export function PermalinkPage({ shortId }: { shortId: string }) {
  const reference = useQuery({
    ...referenceOptions(shortId),
    // One that is being written appears as soon as it is there.
    refetchInterval: ({ state }) => (state.data?.isOptimistic ? lookAgainMs : false),
  })
  return (
    <Loaded query={reference}>
      {(found) =>
        // Other SQL has other runs and, maybe, other parameters.
        found.isOptimistic ? <BeingWritten reference={found} /> : <ReferenceView key={found.currentQuery.id} reference={found} />
      }
    </Loaded>
  )
}
