import { shortIdIn } from '../find-references.ts'
import type { Remarks } from './remarks.ts'
import type { Sentence, Span } from './sentence.ts'

export interface Titled {
  shortId: string
  title: string
}

/** A query named in the sentence, and where. */
export interface Mention {
  shortId: string
  title: string
  span: Span
}

/** Shorter titles must be in quotation marks, because they are often ordinary words. */
const minBareTitleLength = 4

/** The queries named by title or permalink, in the order of the sentence. Long titles are matched before short ones. */
export function readReferences(sentence: Sentence, references: Titled[], remarks: Remarks): Mention[] {
  const mentions: Mention[] = []
  const mention = (span: Span, found: Titled[]) => {
    sentence.keep(span)
    if (found.length > 1) {
      remarks.notUnderstood.push(`Several queries are named “${found[0]!.title}”. Choose the right one in the form.`)
    } else if (!mentions.some(({ shortId }) => shortId === found[0]!.shortId)) {
      mentions.push({ ...found[0]!, span })
    }
  }
  for (let span = sentence.find(permalink); span; span = sentence.find(permalink)) {
    const shortId = shortIdIn(span.text)!
    mention(span, [references.find((reference) => reference.shortId === shortId) ?? { shortId, title: shortId }])
  }
  for (const [title, found] of byTitle(references)) {
    const words = title.split(/\s+/).map(escape).join(String.raw`\s+`)
    const quoted = new RegExp(`[“"]\\s*${words}\\s*[”"]`, 'iu')
    const bare = new RegExp(`(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`, 'iu')
    const pattern = title.length < minBareTitleLength ? quoted : new RegExp(`${quoted.source}|${bare.source}`, 'iu')
    for (let span = sentence.find(pattern); span; span = sentence.find(pattern)) mention(span, found)
  }
  for (let span = sentence.find(quotation); span; span = sentence.find(quotation)) {
    sentence.keep(span)
    remarks.notUnderstood.push(`No query is named ${span.text}.`)
  }
  return mentions.toSorted((one, other) => one.span.from - other.span.from)
}

const permalink = /\S*\/q\/[^/?#\s]+\S*/
const quotation = /[“"][^”"\uE000\uE001]{2,200}[”"]/u

function byTitle(references: Titled[]): [string, Titled[]][] {
  const titles = new Map<string, Titled[]>()
  for (const reference of references) {
    const title = reference.title.trim().toLowerCase()
    if (title !== '') titles.set(title, [...(titles.get(title) ?? []), reference])
  }
  return [...titles].sort(([one], [other]) => other.length - one.length)
}

const escape = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`)
