import { useQuery } from '@tanstack/react-query'
import { referenceOptions } from '../../api/references.ts'
import { WithComments } from '../../comments/with-comments.tsx'
import { useNoteView } from '../../items/use-note-view.ts'
import { Loaded } from '../../ui/loaded.tsx'
import { BeingWritten } from './being-written.tsx'
import { ReferenceView } from './reference-view.tsx'

const pollMs = 1500

/** `/q/:shortId` */
export function PermalinkPage({ shortId }: { shortId: string }) {
  useNoteView('reference', shortId)
  const reference = useQuery({
    ...referenceOptions(shortId),
    // Poll a reserved permalink, so that the query appears as soon as it is written.
    refetchInterval: ({ state }) => (state.data?.isOptimistic ? pollMs : false),
  })
  return (
    <Loaded query={reference}>
      {(found) =>
        // Changed SQL has other runs and possibly other parameters, so mount a new view.
        found.isOptimistic ? (
          <BeingWritten reference={found} />
        ) : (
          <WithComments kind="reference" shortId={shortId}>
            <ReferenceView key={found.currentQuery.id} reference={found} />
          </WithComments>
        )
      }
    </Loaded>
  )
}
