import { useQuery } from '@tanstack/react-query'
import { FileSearch, Star } from 'lucide-react'
import { favoritesOptions, type ItemKind, recentlyViewedOptions } from '../../api/items.ts'
import { Link } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { chooseItems } from './choose-items.ts'

const shownMax = 6
const isQuery = ({ kind }: { kind: ItemKind }) => kind === 'reference'

/** Favorite and recently viewed queries. Shows nothing if there is none. */
export function HomeQueries() {
  const { data: favorites = [] } = useQuery(favoritesOptions)
  const { data: recent = [] } = useQuery(recentlyViewedOptions)
  const queries = chooseItems({ favorites: favorites.filter(isQuery), recent: recent.filter(isQuery), newest: [] }, shownMax)
  if (queries.length === 0) return null
  return (
    <section aria-label="Your queries" className="grid grid-cols-[minmax(0,1fr)] gap-2">
      <header className="flex items-baseline justify-between gap-4">
        <h2>Your queries</h2>
        <TextLink href={paths.queries}>All queries</TextLink>
      </header>
      <Card className="overflow-hidden">
        <ul className="divide-y divide-line">
          {queries.map(({ shortId, title, isFavorite }) => (
            <li key={shortId}>
              <Link
                href={paths.permalink(shortId)}
                className="flex items-center gap-3 px-4 py-2.5 text-ink no-underline hover:bg-raised focus-visible:-outline-offset-2"
              >
                <FileSearch className="size-4 shrink-0 text-soft" aria-hidden="true" />
                <span className="min-w-0 grow truncate">{title}</span>
                {isFavorite && <Star className="size-3.5 shrink-0 fill-current text-accent" aria-label="Favorite" />}
              </Link>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}
