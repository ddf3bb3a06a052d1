import type { BoardDraft, ReferenceSummary } from '../../../api/boards.ts'
import type { BoardContent } from '../content/board-content.ts'

/** A drafted board on its way to the page that reviews it. */
export interface KeptDraft {
  content: Omit<BoardContent, 'folderId'>
  references: ReferenceSummary[]
  notes: string[]
}

let kept: KeptDraft | undefined

export function keepDraft({ title, description, parameters, tabs, tiles, references, notes }: BoardDraft): void {
  kept = { content: { title, description, parameters, tabs, tiles }, references, notes }
}

/** Only the next page gets it. React may render that page twice before it shows, so it is forgotten afterwards. */
export function takeDraft(): KeptDraft | undefined {
  const draft = kept
  setTimeout(() => {
    kept = undefined
  })
  return draft
}
