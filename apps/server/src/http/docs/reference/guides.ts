import { fenceInfo, readMarkdown } from '../markdown.ts'
import type { PageSource } from '../sources.ts'

/** The section of a handwritten page that explains a route, found by its `<!-- begin route queries.list -->`. */
export interface Guide {
  /** `/docs/api/queries#list-queries` */
  address: string
  pageTitle: string
  /** JSON. `npm test` compares it with what the service really returns. */
  exampleResponse: string | undefined
}

const routeMark = /^<!-- begin route (\S+) -->$/gm

/** By operation id. */
export function findGuides(pages: Iterable<PageSource>): Map<string, Guide> {
  return new Map([...pages].flatMap((page) => guidesIn(page)))
}

function guidesIn({ address, title, text }: PageSource): [string, Guide][] {
  const marks = [...text.matchAll(routeMark)]
  if (marks.length === 0) return []
  const { tokens } = readMarkdown(text)
  const isSection = (place: number) => tokens[place]!.type === 'heading_open' && tokens[place]!.tag === 'h2'
  const starts = [...tokens.keys()].filter(isSection)
  return marks.flatMap(({ 1: operationId, index }) => {
    const line = text.slice(0, index).split('\n').length - 1
    const start = starts.findLast((place) => tokens[place]!.map![0] < line)
    if (start === undefined) return []
    const section = tokens.slice(start, starts.find((place) => place > start))
    const example = section.find((token) => token.type === 'fence' && fenceInfo(token).flags.includes('answer'))
    const guide = {
      address: `${address}#${tokens[start]!.attrGet('id')}`,
      pageTitle: title,
      exampleResponse: example?.content,
    }
    return [[operationId!, guide]]
  })
}
