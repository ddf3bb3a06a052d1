import type { FoundReference } from '../../api/references.ts'

type Example = Pick<FoundReference, 'title' | 'visualizationType'>

/** Questions about the organization's own queries, to start from. Every kind of chart suggests another one. */
export function exampleQuestions(references: Example[], count: number): string[] {
  const titled = references.filter(({ title }) => title.trim() !== '' && title !== 'Untitled query')
  return titled.slice(0, count).map(questionAbout)
}

function questionAbout({ title, visualizationType }: Example): string {
  switch (visualizationType) {
    case 'line':
    case 'area':
      return `How has “${title}” changed recently?`
    case 'number':
      return `What is “${title}” now?`
    default:
      return `What stands out in “${title}”?`
  }
}
