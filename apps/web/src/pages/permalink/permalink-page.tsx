import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { referenceOptions } from '../../api/references.ts'
import { WithComments } from '../../comments/with-comments.tsx'
import { useNoteView } from '../../items/use-note-view.ts'
import { momentIn } from '../../past/moment.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { useLocation } from '../../use-location.ts'
import { BeingWritten } from './being-written.tsx'
import { ReferenceView } from './reference-view.tsx'

/** Most readers look at the present. */
const PastReference = lazy(() => import('./past/past-reference.tsx').then(({ PastReference: component }) => ({ default: component })))

const pollMs = 1500

/** `/q/:shortId`, and `/q/:shortId?at=` for what it showed at a time */
export function PermalinkPage({ shortId }: { shortId: string }) {
  useNoteView('reference', shortId)
  const { search } = useLocation()
  const reference = useQuery({
    ...referenceOptions(shortId),
    // Poll a reserved permalink, so that the query appears as soon as it is written.
    refetchInterval: ({ state }) => (state.data?.isOptimistic ? pollMs : false),
  })
  return (
    <Loaded query={reference}>
      {(found) => {
        // A parameter of that name has the word.
        const at = found.parameters.some(({ name }) => name === 'at') ? null : momentIn(search)
        if (at !== null && !found.isOptimistic) {
          return <Suspense fallback={<Skeleton />}><PastReference reference={found} at={at} /></Suspense>
        }
        // Changed SQL has other runs and possibly other parameters, so mount a new view.
        return found.isOptimistic ? (
          <BeingWritten reference={found} />
        ) : (
          <WithComments kind="reference" shortId={shortId}>
            <ReferenceView key={found.currentQuery.id} reference={found} />
          </WithComments>
        )
      }}
    </Loaded>
  )
}
