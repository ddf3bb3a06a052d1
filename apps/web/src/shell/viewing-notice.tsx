import { useMutation } from '@tanstack/react-query'
import { Eye } from 'lucide-react'
import { stopViewing } from '../api/access.ts'
import { messageOf } from '../api/request.ts'
import { useSession } from '../api/session.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button.tsx'

/** Shows an admin that the pages are those of another member, and the way out. */
export function ViewingNotice() {
  const { isViewedAs, user } = useSession()
  const stopping = useMutation({ mutationFn: stopViewing, onSuccess: () => window.location.assign(paths.access) })
  if (!isViewedAs) return null
  return (
    <section aria-label="Viewing as" className="sticky top-0 z-20 flex flex-wrap items-center gap-2 bg-warning-wash px-4 py-2 text-warning sm:px-6">
      <Eye className="size-4 shrink-0" aria-hidden="true" />
      <p className="mr-auto [overflow-wrap:anywhere]">
        You’re viewing as {user.name}. You can’t change anything.{stopping.error ? ` ${messageOf(stopping.error)}` : ''}
      </p>
      <Button size="small" isBusy={stopping.isPending} onClick={() => stopping.mutate()}>Stop viewing</Button>
    </section>
  )
}
