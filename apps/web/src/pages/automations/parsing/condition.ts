import type { Comparison } from '../../../api/automations.ts'
import type { Mention } from './references.ts'
import { kept, type Sentence } from './sentence.ts'

export type ReadCondition =
  | { reference: string; kind: 'changed' }
  | { reference: string; kind: 'row_count'; comparison: Comparison; number: number }

const when = String.raw`(?<![\p{L}])(?:when|whenever|if|as\s+soon\s+as|once)\s+(?:the\s+)?(?:results?\s+of\s+)?`
const changed = new RegExp(String.raw`${when}(?:${kept})\s+(?:has\s+)?chang(?:es|ed)(?![\p{L}])`, 'iu')
const rowCount = new RegExp(
  String.raw`${when}(?:${kept})\s+(?:has|returns|finds|gives|shows)\s+` +
    String.raw`(?:(no|any)|(more\s+than|over|at\s+least|fewer\s+than|less\s+than|under|at\s+most|exactly)\s+(\d+))` +
    String.raw`\s*rows?(?![\p{L}])`,
  'iu',
)

const comparisons: [RegExp, Comparison][] = [
  [/^(more|over)/i, '>'],
  [/^at least/i, '>='],
  [/^(fewer|less|under)/i, '<'],
  [/^at most/i, '<='],
  [/^exactly/i, '='],
]

/** Reads a condition such as “when Stock changes” or “if Late orders has more than 5 rows”. */
export function readCondition(sentence: Sentence, mentions: Mention[]): ReadCondition | undefined {
  const change = sentence.find(changed)
  const span = change ?? sentence.find(rowCount)
  const mention = span && mentions.find((each) => each.span.from >= span.from && each.span.to <= span.to)
  if (!span || !mention) return undefined
  sentence.cut(span)
  const { shortId: reference } = mention
  if (change) return { reference, kind: 'changed' }
  const [none, words, number] = span.groups
  const counted = { reference, kind: 'row_count' } as const
  if (none !== undefined) return { ...counted, comparison: none.toLowerCase() === 'no' ? '=' : '>', number: 0 }
  const spaced = words!.replaceAll(/\s+/g, ' ')
  const [, comparison] = comparisons.find(([word]) => word.test(spaced))!
  return { ...counted, comparison, number: Number(number) }
}
