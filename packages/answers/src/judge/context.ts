import type { Draft } from '../draft.ts'
import type { ComputedFigure, FigureOutcome } from '../expressions/compute-figure.ts'
import { type ResultView, viewOf } from '../result-view.ts'
import { escapeMarkdown } from '../format.ts'
import { readTokens, type Token } from '../text/tokens.ts'
import type { Language } from '../words/language.ts'
import { languageOf } from '../words/language.ts'
import { findNames, type NameMention, type Synonyms } from './column-names.ts'
import { findMentions, type Mention } from './find-mentions.ts'
import { type Period, periodOfValue } from './read-period.ts'

/** Everything the judge knows besides the text: the question, the results, and the figures that were computed. */
export interface Context {
  now: Date
  /** Of the text; while a sentence is judged, its own. */
  language: Language
  question: Token[]
  /** The question and the titles of the queries: numbers in them may be repeated. */
  givenTexts: Token[][]
  /** The results of the draft's figures; all results if no figure could be computed. */
  views: ResultView[]
  figureOf: (index: number) => ComputedFigure | undefined
  synonyms: Synonyms
  parameters: { name: string; text: string; period: Period | undefined }[]
  /** The directions that the changes in a sentence show. It fills while the text is judged. */
  directions: Map<readonly Token[], Set<number>>
  /** The rows that a text names. */
  mentionsIn: (tokens: Token[]) => Mention[]
  /** The columns of a result that a text names. */
  namesIn: (tokens: Token[], view: ResultView) => NameMention[]
}

const noSynonyms: Synonyms = {}

export function makeContext(draft: Draft, outcomes: readonly FigureOutcome[], tokens: Iterable<Token>): Context {
  const figures = outcomes.map((outcome) => ('problem' in outcome ? undefined : outcome))
  const used = figures.flatMap((figure) => (figure ? [figure.subject.view, ...(figure.base ? [figure.base.view] : [])] : []))
  const views = [...new Set(used.length > 0 ? used : [...draft.results.values()].map(viewOf))]
  const words = [...tokens].filter(({ kind }) => kind === 'word').map(({ fold }) => fold)
  const language = languageOf(words) ?? 'en'
  const question = tokensOf(draft.question)
  const titles = views.flatMap(({ result }) => (result.title === null ? [] : [tokensOf(result.title)]))
  const synonyms = draft.synonyms ?? noSynonyms
  const figureOf = (index: number) => figures[index]
  const mentions = new Map<Token[], Mention[]>()
  const names = new Map<ResultView, Map<Token[], NameMention[]>>()
  return {
    now: draft.now,
    language,
    question,
    givenTexts: [question, ...titles],
    views,
    figureOf,
    synonyms,
    parameters: views.flatMap(({ result }) =>
      Object.entries(result.parameters).flatMap(([name, value]) =>
        [value].flat().flatMap((each) =>
          typeof each === 'string' || typeof each === 'number' ? [{ name, text: String(each), period: periodOfValue(each) }] : [],
        ),
      ),
    ),
    directions: new Map(),
    mentionsIn(those) {
      const known = mentions.get(those) ?? findMentions(those, { views, figureOf, synonyms, now: draft.now, language })
      mentions.set(those, known)
      return known
    },
    namesIn(those, view) {
      const ofView = names.get(view) ?? new Map<Token[], NameMention[]>()
      names.set(view, ofView)
      const known = ofView.get(those) ?? findNames(those, view, synonyms)
      ofView.set(those, known)
      return known
    },
  }
}

/** The tokens of a text that is not Markdown. */
function tokensOf(text: string): Token[] {
  const escaped = escapeMarkdown(text.replaceAll(/[\p{Co}\p{Cs}]/gu, ''))
  return readTokens(escaped, 0, escaped.length)
}
