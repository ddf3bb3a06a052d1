import { useMemo } from 'react'
import type { Figure } from '../../../api/chats.ts'
import { Markdown, type Marks } from '../../../ui/markdown/markdown.tsx'
import { FigureView } from './figure-view.tsx'

/** Text written by an agent, with its figures. */
export function AnswerText({ text, figures }: { text: string; figures: Figure[] }) {
  const marks = useMemo<Marks>(
    () => ({
      spans: figures,
      render: (index, children) => <FigureView figure={figures[index]!}>{children}</FigureView>,
    }),
    [figures],
  )
  return <Markdown text={text} origin={window.location.origin} marks={marks} />
}
