import { ApiError, messageOf } from '../api/request.ts'
import { Problem } from '../ui/notice.tsx'

/**
 * A page that could not be shown. A part of it that is not there any more means that the service has new pages: loading the
 * document anew brings them.
 */
export function PageFailed({ error }: { error: unknown }) {
  const message = error instanceof ApiError ? messageOf(error) : `${messageOf(error)} Loading the page anew may help.`
  return (
    <div className="mx-auto max-w-xl p-6">
      <Problem title="This page could not be shown" message={message} onRetry={() => window.location.reload()} />
    </div>
  )
}
