import type { Draft, Published } from './draft.ts'
import { type ComputedFigure, computeFigures, type FigureOutcome } from './expressions/compute-figure.ts'
import { ExpressionError, operandsOf, type Placeholder, sourcesOf } from './expressions/expression.ts'
import { parsePlaceholder } from './expressions/parse-placeholder.ts'
import { makeContext } from './judge/context.ts'
import { judgeText, type Verdicts } from './judge/judge-text.ts'
import { printPublished } from './print-published.ts'
import { canonicalMarkdown } from './text/canonical-markdown.ts'
import { findPlaceholders, finishedPart, isPlaceholderCharacter, placeholderIndex } from './text/find-placeholders.ts'
import { readOutline, type Sentence } from './text/outline.ts'

/** Computes and prints the figures of a draft, and strikes everything in it that is not proven. */
export function publish(draft: Draft): Published {
  const baseUrl = draft.baseUrl.replace(/\/+$/, '')
  const { text, placeholders } = findPlaceholders(draft.isPartial ? finishedPart(draft.text) : draft.text)
  const outcomes = computeAll(placeholders, draft)
  const canonical = canonicalMarkdown(text, baseUrl)
  const sentences = readOutline(canonical.text)
  const context = makeContext(draft, outcomes, sentences.flatMap(({ tokens }) => tokens))
  const verdicts = judgeText(sentences, context)
  const shown = draft.isPartial ? withoutUnfinished(canonical.text, sentences, verdicts, outcomes) : canonical.text
  return printPublished({ canonical: { ...canonical, text: shown }, verdicts, outcomes, placeholders, baseUrl })
}

/** Figures by their placeholders. A model that is still writing is published many times, each time with a few new ones. */
const known = new WeakMap<Draft['results'], Map<string, ComputedFigure>>()

function computeAll(placeholders: readonly string[], { results, unavailable }: Draft): FigureOutcome[] {
  const memory = known.get(results) ?? new Map<string, ComputedFigure>()
  known.set(results, memory)
  const missing = [...new Set(placeholders)].filter((text) => !memory.has(text))
  const problems = new Map<string, { problem: string }>()
  const parsed = new Map<string, Placeholder>()
  for (const text of missing) {
    const one = parseOrProblem(text, unavailable)
    if ('problem' in one) problems.set(text, one)
    else parsed.set(text, one)
  }
  const computed = computeFigures([...parsed.values()], results)
  for (const [at, text] of [...parsed.keys()].entries()) {
    const outcome = computed[at]!
    // A problem may be gone the next time: the run may have been added.
    if ('problem' in outcome) problems.set(text, outcome)
    else memory.set(text, outcome)
  }
  return placeholders.map((text) => memory.get(text) ?? problems.get(text)!)
}

function parseOrProblem(text: string, unavailable: Draft['unavailable']): Placeholder | { problem: string } {
  try {
    const placeholder = parsePlaceholder(text)
    const sources = operandsOf(placeholder.expression).flatMap((operand) => sourcesOf(operand, placeholder.source))
    const problem = sources.map((source) => unavailable?.get(source)).find((reason) => reason !== undefined)
    return problem === undefined ? placeholder : { problem }
  } catch (error) {
    if (error instanceof ExpressionError) return { problem: error.message }
    throw error
  }
}

/**
 * While a text is being written, the rest of its last sentence may still prove what its beginning says. The sentence is shown up to
 * the first place that is not proven yet.
 */
function withoutUnfinished(
  text: string,
  sentences: readonly Sentence[],
  { strikes, figureReasons }: Verdicts,
  outcomes: readonly FigureOutcome[],
): string {
  const last = sentences.at(-1)?.tokens ?? []
  const from = last[0]?.start
  if (from === undefined) return text
  const isUnproven = (character: string) => {
    if (!isPlaceholderCharacter(character)) return false
    const index = placeholderIndex(character)
    return figureReasons.has(index) || 'problem' in outcomes[index]!
  }
  const figure = last.find((token) => token.kind === 'figure' && isUnproven(token.text))?.start
  const ofSentence = strikes.filter(({ start }) => start >= from).map(({ start }) => start)
  const end = Math.min(figure ?? text.length, text.length, ...ofSentence)
  return text.slice(0, end)
}
