import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { suggestionsOptions } from '../../api/knowledge.ts'
import { useIsAdmin } from '../../api/session.ts'
import { navigate } from '../../location.tsx'
import { documentation, type KnowledgePart, knowledgeParts, paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { PageHead } from '../../ui/page-head.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { useTitle } from '../../ui/use-title.ts'
import { NotFoundPage } from '../not-found-page.tsx'
import { HistoryTab } from './history-tab.tsx'
import { InstructionsTab } from './instructions-tab.tsx'
import { MetricsTab } from './metrics-tab.tsx'
import { SuggestionsTab } from './suggestions-tab.tsx'
import { TablesTab } from './tables-tab.tsx'
import { VerifiedQueriesTab } from './verified-queries-tab.tsx'

type TabName = 'instructions' | KnowledgePart

/** `/knowledge`: what agents know about the organization's data. Members read it and make suggestions; admins change it. */
export function KnowledgePage({ part = 'instructions' }: { part?: string }) {
  useTitle('Knowledge')
  const isAdmin = useIsAdmin()
  const { data: open = [] } = useQuery(suggestionsOptions('open'))
  if (!isTabName(part)) return <NotFoundPage isInShell />
  const tabs: { name: TabName; label: ReactNode; content: ReactNode }[] = [
    { name: 'instructions', label: 'Instructions', content: <InstructionsTab isAdmin={isAdmin} /> },
    { name: 'metrics', label: 'Metrics', content: <MetricsTab isAdmin={isAdmin} /> },
    { name: 'verified-queries', label: 'Verified queries', content: <VerifiedQueriesTab isAdmin={isAdmin} /> },
    { name: 'tables', label: 'Tables', content: <TablesTab isAdmin={isAdmin} /> },
    {
      name: 'suggestions',
      label: <>Suggestions {open.length > 0 && <Badge color="accent">{open.length}</Badge>}</>,
      content: <SuggestionsTab isAdmin={isAdmin} />,
    },
    { name: 'history', label: 'History', content: <HistoryTab isAdmin={isAdmin} /> },
  ]
  return (
    <>
      <PageHead
        title="Knowledge"
        description={
          <>
            What agents know about your data. They use it in every answer. <TextLink href={documentation.knowledge}>How it works</TextLink>
          </>
        }
      />
      <Tabs
        label="Knowledge"
        tabs={tabs}
        current={part}
        onChange={(name) => navigate(name === 'instructions' ? paths.knowledge : paths.knowledgeOf(name))}
      />
    </>
  )
}

const isTabName = (part: string): part is TabName => part === 'instructions' || (knowledgeParts as readonly string[]).includes(part)
