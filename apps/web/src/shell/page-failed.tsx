import { ApiError, messageOf } from '../api/request.ts'
import { Problem } from '../ui/notice.tsx'

/** Shown when a page fails to render or load. A missing script usually means a new version was deployed, so a reload helps. */
export function PageFailed({ error }: { error: unknown }) {
  const message = error instanceof ApiError ? messageOf(error) : `${messageOf(error)} Reloading the page may help.`
  return (
    <div className="mx-auto max-w-xl p-6">
      <Problem title="Couldn’t show this page" message={message} onRetry={() => window.location.reload()} />
    </div>
  )
}
