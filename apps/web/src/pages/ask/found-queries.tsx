import { useMutation, useQuery } from '@tanstack/react-query'
import { Play } from 'lucide-react'
import { type FoundReference, runReference } from '../../api/references.ts'
import { useIsAdmin } from '../../api/session.ts'
import { Link, navigate } from '../../location.tsx'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { queriesForQuestionOptions } from './find-queries.ts'
import { wordsToSearch } from './question-words.ts'

/** What asking offers without a model: the saved queries that fit the words, and how to connect a model. */
export function FoundQueries({ question }: { question: string }) {
  const { data } = useQuery(queriesForQuestionOptions(question))
  const found = wordsToSearch(question).length === 0 ? undefined : data
  return (
    <section aria-label="Saved queries" aria-live="polite" className="grid gap-2">
      {found && found.length > 0 && (
        <>
          <h2 className="text-xs font-medium text-soft">Saved queries that may answer this</h2>
          <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
            {found.map((reference) => <FoundQuery key={reference.id} reference={reference} />)}
          </ul>
        </>
      )}
      {found?.length === 0 && (
        <p className="text-soft">
          No saved query has these words. <TextLink href={paths.newQuery()}>Write a query</TextLink>
        </p>
      )}
      <ConnectModel />
    </section>
  )
}

function FoundQuery({ reference }: { reference: FoundReference }) {
  const { shortId, title, description, latestRun } = reference
  // A query that needs values can't run from here; its page asks for them. It also shows every other failure.
  const running = useMutation({
    mutationFn: () => runReference(shortId, {}),
    onSettled: () => navigate(paths.permalink(shortId)),
  })
  return (
    <li className="flex items-center gap-3 px-4 py-2.5">
      <Link href={paths.permalink(shortId)} className="mr-auto grid min-w-0 text-ink no-underline hover:underline">
        <span className="font-medium [overflow-wrap:anywhere]">{title}</span>
        <span className="truncate text-xs text-soft">
          {latestRun ? <>Last run <RelativeTime at={latestRun.completedAt ?? latestRun.runAt} /></> : 'Not run yet'}
          {description !== null && description !== '' && ` · ${description}`}
        </span>
      </Link>
      <Button size="small" icon={<Play />} isBusy={running.isPending} aria-label={`Run ${title}`} onClick={() => running.mutate()}>Run</Button>
    </li>
  )
}

function ConnectModel() {
  const isAdmin = useIsAdmin()
  return (
    <p className="text-xs text-soft">
      With an AI model, questions are answered here from your data.{' '}
      {isAdmin ? <TextLink href={paths.agentSettings}>Connect a model</TextLink> : 'Ask an admin to connect one.'}
    </p>
  )
}
