import { useState } from 'react'
import { messageOf } from '../api/request.ts'
import { listReferences, type Page, type Reference } from '../api/references.ts'
import { useLoaded } from '../api/use-loaded.ts'
import { Link } from '../location.tsx'
import { paths } from '../paths.ts'
import { Button } from '../ui/button.tsx'
import { Loading, Problem } from '../ui/notice.tsx'
import { Time } from '../ui/time.tsx'
import { useTitle } from '../ui/use-title.ts'

/** The organization's query references, newest first. */
export function HomePage({ organizationName }: { organizationName: string }) {
  useTitle('Queries')
  const { loaded, reload } = useLoaded('references', (signal) => listReferences({ signal }))
  return (
    <>
      <header className="page-head">
        <h1>Queries</h1>
        <p className="soft">{organizationName}, newest first</p>
      </header>
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' && <Problem message={messageOf(loaded.error)} onRetry={reload} />}
      {loaded.status === 'ready' && <References firstPage={loaded.value} />}
    </>
  )
}

function References({ firstPage }: { firstPage: Page<Reference> }) {
  const [page, setPage] = useState(firstPage)
  const [isLoading, setIsLoading] = useState(false)
  const [message, setMessage] = useState<string>()

  async function loadMore(cursor: string) {
    setIsLoading(true)
    setMessage(undefined)
    try {
      const next = await listReferences({ cursor })
      setPage({ ...next, items: [...page.items, ...next.items] })
    } catch (error) {
      setMessage(messageOf(error))
    } finally {
      setIsLoading(false)
    }
  }

  const { items, nextCursor } = page
  if (items.length === 0) {
    return (
      <section className="empty">
        <h2>No queries yet</h2>
        <p>A query appears here as soon as it has a permalink.</p>
      </section>
    )
  }
  return (
    <>
      <ul className="card references">
        {items.map((reference) => (
          <li key={reference.id}>
            <Link href={paths.permalink(reference.shortId)}>
              <span className="title">{reference.title}</span>
              {reference.description !== null && <span className="description">{reference.description}</span>}
              <span className="soft small">
                Updated <Time at={reference.updatedAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {message !== undefined && <Problem message={message} />}
      {nextCursor !== undefined && (
        <p className="centered">
          <Button onClick={() => void loadMore(nextCursor)} disabled={isLoading}>
            {isLoading ? 'Loading …' : 'Load more'}
          </Button>
        </p>
      )}
    </>
  )
}
