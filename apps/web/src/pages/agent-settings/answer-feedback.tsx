import { useInfiniteQuery } from '@tanstack/react-query'
import { ThumbsDown, ThumbsUp } from 'lucide-react'
import { chatFeedbackOptions, type ListedFeedback } from '../../api/chats.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { RelativeTime } from '../../ui/time.tsx'

/** What people said about answers, newest first. */
export function AnswerFeedback() {
  const query = useInfiniteQuery(chatFeedbackOptions)
  return (
    <Card title="Feedback on answers" description="Shows where agents help, and what they should learn about your data.">
      <Loaded query={query}>
        {(items) =>
          items.length === 0 ? (
            <p className="text-soft">No feedback yet. People give it with the buttons below each answer.</p>
          ) : (
            <ul className="grid grid-cols-[minmax(0,1fr)] gap-4" aria-label="Feedback">
              {items.map((item) => <FeedbackItem key={`${item.chat.shortId} ${item.messageNumber} ${item.person.id}`} item={item} />)}
            </ul>
          )
        }
      </Loaded>
      {query.hasNextPage && (
        <Button className="mt-4" isBusy={query.isFetchingNextPage} onClick={() => void query.fetchNextPage()}>Load more</Button>
      )}
    </Card>
  )
}

function FeedbackItem({ item }: { item: ListedFeedback }) {
  const { chat, question, answer, person, isHelpful, remark, updatedAt } = item
  return (
    <li className="flex gap-3 [overflow-wrap:anywhere]">
      {isHelpful ? (
        <ThumbsUp className="mt-0.5 size-4 shrink-0 text-good" role="img" aria-label="Helpful" />
      ) : (
        <ThumbsDown className="mt-0.5 size-4 shrink-0 text-danger" role="img" aria-label="Not helpful" />
      )}
      <div className="grid min-w-0 gap-0.5">
        <TextLink href={paths.chat(chat.shortId)} className="line-clamp-2">{question ?? chat.title}</TextLink>
        <p className="line-clamp-2 text-soft">{answer}</p>
        {remark !== null && <p>“{remark}”</p>}
        <p className="text-xs text-soft">{person.name}, <RelativeTime at={updatedAt} /></p>
      </div>
    </li>
  )
}
