import { fold } from './fold.ts'

/** Phrases that turn the number after them into a limit. Longer phrases come before their parts. */
const phrases = `
more than; less than; fewer than; greater than; higher than; lower than; larger than; smaller than; no more than; no less than; no fewer than; not
more than; at least; at most; up to; as much as; as many as; as little as; as few as; over; above; under; below; exceeding; exceeds; exceeded;
surpassing; beyond; nearly; almost; close to; just over; just under; north of; south of; upwards of; in excess of; short of; shy of; approaching; well over;
minimum of; maximum of; not; hardly; barely; anywhere near; well above; well below; plus; minus; negative; positive; twice; half; double; triple;
mehr als; weniger als; mindestens; höchstens; maximal; minimal; über; unter; fast; beinahe; knapp; bis zu; nahezu; nicht; gut; rund um; doppelt;
plus de; moins de; au moins; au plus; près de; presque; jusqu à; pas; au dessus de; en dessous de; supérieur à; inférieur à;
más de; menos de; al menos; como mínimo; como máximo; casi; cerca de; hasta; por encima de; por debajo de; superior a; inferior a;
più di; meno di; almeno; al massimo; quasi; oltre; sotto; sopra; fino a; superiore a; inferiore a;
mais de; pelo menos; no mínimo; no máximo; quase; até; acima de; abaixo de;
meer dan; minder dan; minstens; hoogstens; bijna; ruim; tot wel; boven; onder; maximaal; minimaal; ten minste`
  .split(';')
  .map((phrase) => phrase.trim().split(/\s+/).map(fold))
  .filter((words) => words[0] !== '')
  .sort((a, b) => b.length - a.length)

const byLast = new Map<string, string[][]>()
for (const words of phrases) byLast.set(words.at(-1)!, [...(byLast.get(words.at(-1)!) ?? []), words])

/** How many words right before a place are such a phrase; 0 if none. `wordsBefore` ends with the nearest word. */
export function boundLength(wordsBefore: readonly string[]): number {
  const last = wordsBefore.at(-1)
  const found = last === undefined ? undefined : byLast.get(last)?.find((words) => words.every((word, at) => wordsBefore[wordsBefore.length - words.length + at] === word))
  return found?.length ?? 0
}

/** "or more" after a number. */
export const isBoundAfter = (first: string, second: string | undefined): boolean =>
  (/^(or|oder|ou|o|of)$/.test(first) && second !== undefined && /^(more|less|fewer|higher|lower|so|above|below|greater|mehr|weniger|plus|moins|mas|menos|piu|meno|mais|meer|minder)$/.test(second)) ||
  /^(ish|odd|something)$/.test(first)

/** Which comparison a phrase before a value of a condition expresses. */
const comparisons: [RegExp, readonly string[]][] = [
  [/^(more than|greater than|higher than|larger than|over|above|exceeding|beyond|after|later than|mehr als|uber|plus de|mas de|piu di|mais de|meer dan|nach|apres|despues de|dopo|depois de|na|>)$/, ['>', '>=']],
  [/^(less than|fewer than|lower than|smaller than|under|below|before|earlier than|weniger als|unter|moins de|menos de|meno di|minder dan|vor|avant|antes de|prima di|voor|<)$/, ['<', '<=']],
  [/^(at least|from|since|starting|minimum of|no less than|no fewer than|mindestens|ab|seit|au moins|depuis|al menos|desde|almeno|dal|pelo menos|minstens|vanaf|sinds|≥)$/, ['>=', '>']],
  [/^(at most|up to|until|through|no more than|hochstens|bis|bis zu|au plus|jusqu a|hasta|como maximo|al massimo|fino a|ate|hoogstens|tot|≤)$/, ['<=', '<']],
]

/** The operators that the words before a value express; undefined if they express none. */
export function comparisonBefore(wordsBefore: readonly string[]): readonly string[] | undefined {
  for (const length of [3, 2, 1]) {
    const phrase = wordsBefore.slice(-length).join(' ')
    const found = wordsBefore.length >= length && comparisons.find(([pattern]) => pattern.test(phrase))
    if (found) return found[1]
  }
  return undefined
}
