import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { organizationOptions } from '../../api/organization.ts'
import { publicLinksOptions } from '../../api/public-links.ts'
import { paths } from '../../paths.ts'
import { LinkRow } from '../../sharing/link-row.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Pager } from '../../ui/pager.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { EmbeddingCard } from './embedding-card.tsx'
import { PublicLinksSwitch } from './public-links-switch.tsx'

/** `/settings/sharing`: everything that people outside the organization can see. For admins. */
export function SharingPage() {
  useTitle('Sharing')
  const organization = useQuery(organizationOptions)
  const links = useInfiniteQuery(publicLinksOptions)
  return (
    <div className="grid max-w-3xl gap-6 [&>.page-head]:mb-0">
      <PageHead title="Sharing" description="Queries and boards that people outside your organization can see." />
      <Card title="Public links" description="Anyone with a link sees the stored results, without signing in.">
        <div className="grid gap-4">
          <Loaded query={organization}>{(value) => <PublicLinksSwitch organization={value} />}</Loaded>
          <Loaded query={links}>
            {(items) =>
              items.length === 0 ? (
                <p className="text-soft">No public links yet. Members create them with Share on the page of a query or a board.</p>
              ) : (
                <ul className="-mb-2 divide-y divide-line border-t border-line" aria-label="Public links">
                  {items.map((link) => (
                    <LinkRow
                      key={link.id}
                      link={link}
                      title={
                        link.title === null ? (
                          <span className="text-soft">{link.kind === 'board' ? 'Deleted board' : 'Deleted query'}</span>
                        ) : (
                          <TextLink href={link.kind === 'board' ? paths.board(link.shortId) : paths.permalink(link.shortId)}>{link.title}</TextLink>
                        )
                      }
                    />
                  ))}
                </ul>
              )
            }
          </Loaded>
          <Pager query={links} />
        </div>
      </Card>
      <EmbeddingCard />
    </div>
  )
}
