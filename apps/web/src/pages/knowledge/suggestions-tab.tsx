import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Lightbulb } from 'lucide-react'
import { useState } from 'react'
import { databasesOptions } from '../../api/databases.ts'
import { declineSuggestion, type Suggestion, suggestionsOptions } from '../../api/knowledge.ts'
import { messageOf } from '../../api/request.ts'
import { paths } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { Problem } from '../../ui/notice.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { RelativeTime } from '../../ui/time.tsx'
import { AcceptDialog } from './accept-dialog.tsx'
import { SuggestDialog } from './suggest-dialog.tsx'

/** Admins decide about everyone's suggestions; members see their own. */
export function SuggestionsTab({ isAdmin }: { isAdmin: boolean }) {
  const query = useQuery(suggestionsOptions('open'))
  const [isSuggesting, setIsSuggesting] = useState(false)
  const [accepted, setAccepted] = useState<Suggestion>()
  const suggest = <Button onClick={() => setIsSuggesting(true)}>Suggest something</Button>
  return (
    <Loaded query={query}>
      {(suggestions) => (
        <div className="grid max-w-3xl gap-4">
          {suggestions.length === 0 ? (
            <EmptyState title="No open suggestions" icon={<Lightbulb />} action={suggest}>
              <p>
                When an answer is wrong, choose Teach below it and say what agents should know.{' '}
                {isAdmin ? 'You decide here what they learn.' : 'An admin decides what they learn.'}
              </p>
            </EmptyState>
          ) : (
            <>
              <div>{suggest}</div>
              <Card>
                <ul className="divide-y divide-line" aria-label="Suggestions">
                  {suggestions.map((each) => (
                    <SuggestionItem key={each.id} suggestion={each} onAccept={isAdmin ? () => setAccepted(each) : undefined} />
                  ))}
                </ul>
              </Card>
            </>
          )}
          <DecidedSuggestions />
          {isSuggesting && <SuggestDialog onClose={() => setIsSuggesting(false)} />}
          {accepted && <AcceptDialog key={accepted.id} suggestion={accepted} onClose={() => setAccepted(undefined)} />}
        </div>
      )}
    </Loaded>
  )
}

/** What was decided before, newest first. It is loaded when someone opens it. */
function DecidedSuggestions() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <details onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary className="w-fit rounded text-soft hover:text-ink">Decided suggestions</summary>
      {isOpen && <DecidedList />}
    </details>
  )
}

function DecidedList() {
  const accepted = useQuery(suggestionsOptions('accepted'))
  const declined = useQuery(suggestionsOptions('declined'))
  return (
    <Loaded query={accepted}>
      {(those) => (
        <Loaded query={declined}>
          {(others) => {
            const decided = [...those, ...others].toSorted((a, b) => (b.decidedAt ?? '').localeCompare(a.decidedAt ?? ''))
            if (decided.length === 0) return <p className="mt-3 text-soft">None has been accepted or declined yet.</p>
            return (
              <Card className="mt-3">
                <ul className="divide-y divide-line" aria-label="Decided suggestions">
                  {decided.map((each) => <DecidedItem key={each.id} suggestion={each} />)}
                </ul>
              </Card>
            )
          }}
        </Loaded>
      )}
    </Loaded>
  )
}

function DecidedItem({ suggestion }: { suggestion: Suggestion }) {
  const { text, state, suggestedBy, decidedBy, decidedAt } = suggestion
  const isAccepted = state === 'accepted'
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-1 p-4">
      <div className="mr-auto grid min-w-0 grow basis-64 gap-1 [overflow-wrap:anywhere]">
        <p className="whitespace-pre-wrap">{text}</p>
        <p className="text-xs text-soft">
          Suggested by {suggestedBy.name}, {isAccepted ? 'accepted' : 'declined'} by {decidedBy?.name}
          {decidedAt !== null && <>, <RelativeTime at={decidedAt} /></>}
        </p>
      </div>
      <Badge color={isAccepted ? 'good' : 'plain'}>{isAccepted ? 'Accepted' : 'Declined'}</Badge>
    </li>
  )
}

function SuggestionItem({ suggestion, onAccept }: { suggestion: Suggestion; onAccept: (() => void) | undefined }) {
  const { id, text, target, chat, suggestedBy, suggestedAt } = suggestion
  const databases = useQuery(databasesOptions())
  const database = databases.data?.find((each) => each.id === target.databaseId)
  const client = useQueryClient()
  const declining = useMutation({
    mutationFn: () => declineSuggestion(id),
    onSuccess: () => client.invalidateQueries({ queryKey: ['knowledge', 'suggestions'] }),
  })
  return (
    <li className="grid gap-2 p-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="mr-auto grid min-w-0 grow basis-64 gap-1 [overflow-wrap:anywhere]">
          <p className="whitespace-pre-wrap">{text}</p>
          <p className="text-xs text-soft">
            {suggestedBy.name}, <RelativeTime at={suggestedAt} />
            {database && <>, for {database.name}</>}
            {chat && <>, about <TextLink href={paths.chat(chat.shortId)}>an answer</TextLink></>}
          </p>
        </div>
        {onAccept && (
          <div className="flex gap-2">
            <Button size="small" kind="primary" onClick={onAccept}>Accept…</Button>
            <Button size="small" isBusy={declining.isPending} onClick={() => declining.mutate()}>Decline</Button>
          </div>
        )}
      </div>
      {declining.error && <Problem message={messageOf(declining.error)} />}
    </li>
  )
}
