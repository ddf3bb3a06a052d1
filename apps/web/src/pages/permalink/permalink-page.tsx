import { ApiError, messageOf } from '../../api/request.ts'
import { getReference } from '../../api/references.ts'
import { useLoaded } from '../../api/use-loaded.ts'
import { Loading, Problem } from '../../ui/notice.tsx'
import { NotFoundPage } from '../not-found-page.tsx'
import { ReferenceView } from './reference-view.tsx'

/** `/q/:shortId` */
export function PermalinkPage({ shortId }: { shortId: string }) {
  const { loaded, reload } = useLoaded(shortId, (signal) => getReference(shortId, signal))
  if (loaded.status === 'loading') return <Loading />
  if (loaded.status === 'ready') return <ReferenceView reference={loaded.value} />
  if (loaded.error instanceof ApiError && loaded.error.status === 404) return <NotFoundPage isInFrame />
  return <Problem message={messageOf(loaded.error)} onRetry={reload} />
}
