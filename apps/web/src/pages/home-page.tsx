import { messageOf } from '../api/request.ts'
import { listReferences, type Reference } from '../api/references.ts'
import { usePages } from '../api/use-pages.ts'
import { Link } from '../location.tsx'
import { paths } from '../paths.ts'
import { LoadMore } from '../ui/load-more.tsx'
import { Loading, Problem } from '../ui/notice.tsx'
import { Time } from '../ui/time.tsx'
import { useTitle } from '../ui/use-title.ts'

/** The organization's query references, newest first. */
export function HomePage({ organizationName }: { organizationName: string }) {
  useTitle('Queries')
  const { loaded, more, reload } = usePages('references', listReferences, (reference) => reference.id)
  return (
    <>
      <header className="page-head">
        <h1>Queries</h1>
        <p className="soft">{organizationName}, newest first</p>
      </header>
      {loaded.status === 'loading' && <Loading />}
      {loaded.status === 'failed' && <Problem message={messageOf(loaded.error)} onRetry={reload} />}
      {loaded.status === 'ready' && <References items={loaded.value} />}
      <LoadMore more={more} />
    </>
  )
}

function References({ items }: { items: Reference[] }) {
  if (items.length === 0) {
    return (
      <section className="empty">
        <h2>No queries yet</h2>
        <p>A query appears here as soon as it has a permalink.</p>
      </section>
    )
  }
  return (
    <ul className="card list references">
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
  )
}
