import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Lightbulb } from 'lucide-react'
import { useState } from 'react'
import { databasesOptions } from '../../api/databases.ts'
import { declineSuggestion, type Suggestion, suggestionsOptions } from '../../api/knowledge.ts'
import { messageOf } from '../../api/request.ts'
import { paths } from '../../paths.ts'
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
          {isSuggesting && <SuggestDialog onClose={() => setIsSuggesting(false)} />}
          {accepted && <AcceptDialog key={accepted.id} suggestion={accepted} onClose={() => setAccepted(undefined)} />}
        </div>
      )}
    </Loaded>
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
