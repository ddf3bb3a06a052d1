import { useQuery } from '@tanstack/react-query'
import { listReferences } from '../../api/references.ts'
import { exampleQuestions } from './example-questions.ts'

const shownMax = 3

/** Example questions about the organization's own queries. Choosing one fills in the box. */
export function ExampleChips({ onChoose }: { onChoose(question: string): void }) {
  const { data } = useQuery({
    queryKey: ['references', 'newest'],
    queryFn: ({ signal }) => listReferences({ limit: 20, signal }),
  })
  const questions = exampleQuestions(data?.items ?? [], shownMax)
  if (questions.length === 0) return null
  return (
    <ul className="flex flex-wrap gap-2" aria-label="Example questions">
      {questions.map((question) => (
        <li key={question} className="max-w-full">
          <button
            type="button"
            className="max-w-full rounded-full border border-line bg-surface px-3 py-1 text-left text-soft [overflow-wrap:anywhere] hover:bg-raised hover:text-ink"
            onClick={() => onChoose(question)}
          >
            {question}
          </button>
        </li>
      ))}
    </ul>
  )
}
