import { CornerDownRight } from 'lucide-react'

/** Questions that the agent suggests to ask next. */
export function FollowUps({ questions, isDisabled, onAsk }: { questions: string[]; isDisabled: boolean; onAsk(text: string): void }) {
  if (questions.length === 0) return null
  return (
    <ul className="grid justify-items-start gap-1.5" aria-label="Suggested questions">
      {questions.map((question) => (
        <li key={question} className="max-w-full">
          <button
            type="button"
            disabled={isDisabled}
            className="flex max-w-full items-start gap-2 rounded-lg border border-line bg-surface px-3 py-1.5 text-left [overflow-wrap:anywhere] enabled:hover:bg-raised disabled:opacity-55"
            onClick={() => onAsk(question)}
          >
            <CornerDownRight className="mt-0.5 size-4 shrink-0 text-soft" aria-hidden="true" />
            {question}
          </button>
        </li>
      ))}
    </ul>
  )
}
