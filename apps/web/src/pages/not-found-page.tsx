import { Link } from '../location.tsx'
import { paths } from '../paths.ts'
import { Frame } from '../ui/frame.tsx'
import { useTitle } from '../ui/use-title.ts'

export function NotFoundPage({ isInFrame = false }: { isInFrame?: boolean }) {
  useTitle('Not found')
  const content = (
    <section className="empty">
      <h1>This link leads nowhere</h1>
      <p>What it led to was deleted, or the link is incomplete. Ask whoever sent it to you.</p>
      <p>
        <Link href={paths.home}>All queries</Link>
      </p>
    </section>
  )
  return isInFrame ? content : <Frame>{content}</Frame>
}
