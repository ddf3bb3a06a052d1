import type { Figure } from '../../src/figure.ts'
import { publish } from '../../src/publish.ts'
import type { Lie } from './lies.ts'
import { tellers } from './lies.ts'
import { makeRandom } from './random.ts'
import { makeUp, monthName } from './results.ts'
import { baseUrl, now } from '../worlds.ts'

export interface Told {
  lie: Lie
  /** The lie reached readers unmarked. */
  isPublished: boolean
  shown: string
  /** The true sentence beside it was published; also if there is none. */
  isHonestProven: boolean
}

const questions = ['How are we doing?', 'What happened?', 'Give me an overview.', 'Which one is the largest?', 'What are the top 5?', 'Wie läuft es?']

/** An answer with one lie among true sentences, as readers get it. */
export function tellLie(seed: number): Told {
  const random = makeRandom(seed)
  const world = makeUp(random)
  const lie = random.pick(tellers)(world, random)
  const injectedCells = lie.kind === 'injected'
  if (injectedCells) (world.result.rows as unknown[][])[0]![world.result.fields.findIndex(({ name }) => name === world.key)] = lie.line
  const measure = random.pick(world.measures)
  const label = world.labels.at(-1)!
  const month = world.months[0]
  const honest = `${measure.replaceAll('_', ' ')} in ${label} was {{r1: ${measure} where ${world.where(label, month)}}}${month ? ` in ${monthName(month)}` : ''}.`
  const text = random.pick([lie.line, `${honest}\n\n${lie.line}`, `## Overview\n\n${lie.line}\n\n${honest}`, ...(lie.line.includes('\n') ? [] : [`- ${honest}\n${lie.line.startsWith('-') ? lie.line : `- ${lie.line}`}`, `> ${lie.line}`])])
  const { text: published, figures } = publish({ text, question: random.pick(questions), results: new Map([['r1', world.result], ['run_1', world.result]]), now, baseUrl })
  const lines = asRead(published, figures).split('\n')
  // The true sentence may print the same figure, rightly.
  const honestValue = world.valueOf(measure, label, month).toLocaleString('en-US')
  const others = lines.filter((line) => !isHonest(line, honestValue))
  const isHonestProven = !text.includes(honest) || lines.some((line) => isHonest(line, honestValue))
  return { lie, isPublished: others.some((line) => lie.isPublished(line)), shown: published, isHonestProven }
}

const isHonest = (line: string, value: string) => new RegExp(`in \\w+ was ⟦[€$ ]*${value}⟧( in \\w+ \\d+)?\\.$`).test(line)

/** The text as readers see it: `⟦…⟧` for proven figures, `⟂` for struck places, without markup. */
export function asRead(text: string, figures: readonly Figure[]): string {
  let read = ''
  let at = 0
  for (const { start, end, isProven, text: shown } of figures) {
    read += text.slice(at, isProven ? start - 1 : start - 2)
    read += isProven ? `⟦${shown}⟧` : '⟂'
    at = isProven ? text.indexOf(')', end) + 1 : end + 2
  }
  read += text.slice(at)
  return read
    .replaceAll(/\]\([^)]*\)/g, ']')
    .replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
    .replaceAll(/[*`]/g, '')
    .normalize('NFKC')
}
