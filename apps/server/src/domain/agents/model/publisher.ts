import { type Figure, type FigureSource, publish, repairRequest, type StoredResult } from '@querypost/answers'
import type { FigureResults } from './figure-results.ts'
import type { RunNames } from './run-names.ts'

/**
 * Turns what the model writes into what people read: its placeholders are computed from stored results and printed, and whatever else
 * states a figure is struck through. Everything that the model writes into a chat passes through here.
 */
export interface Publisher {
  /** With `isPartial`, the text is still arriving, and an unfinished end is withheld. */
  publish(text: string, options?: { isPartial?: boolean }): Promise<PublishedText>
}

export interface PublishedText {
  /** Markdown. */
  text: string
  figures: Figure[]
  /** The runs of the proven figures. */
  sources: FigureSource[]
  /** What to tell the model about the figures that are not proven; null if all are. */
  repairRequest: string | null
}

export function makePublisher(options: {
  results: FigureResults
  runNames: RunNames
  /** Everything that people wrote on the way to this answer. */
  asked: string
  /** Other words for columns, by name. */
  synonyms: Record<string, string[]>
  now: Date
  baseUrl: string
}): Publisher {
  const { runNames, asked: question, synonyms, now, baseUrl } = options
  // Kept from one text to the next, and with them what was computed from them.
  const results = new Map<string, StoredResult>()
  const unavailable = new Map<string, string>()
  const sources = new Map<string, FigureSource>()

  async function load(name: string): Promise<void> {
    const run = runNames.find(name)
    if (!run || results.has(name)) return
    const found = await options.results(run)
    if ('unavailable' in found) {
      unavailable.set(name, found.unavailable)
      return
    }
    results.set(name, found.result).set(run.runId, found.result)
    sources.set(run.runId, found.source)
  }

  return {
    async publish(text, { isPartial = false } = {}) {
      for (const name of namesIn(text)) await load(name)
      const published = publish({ text, question, results, unavailable, synonyms, now, baseUrl, isPartial })
      return {
        text: published.text,
        figures: published.figures,
        sources: published.usedRunIds.flatMap((runId) => sources.get(runId) ?? []),
        repairRequest: repairRequest(published),
      }
    },
  }
}

/** Words in placeholders that may name a run. Reading a result that is not needed does no harm. */
function namesIn(text: string): Set<string> {
  const placeholders = text.matchAll(/\{\{(.*?)(?:\}\}|$)/gs)
  return new Set([...placeholders].flatMap(([, inside]) => inside!.match(/\b(?:r\d+|run_\w+)\b/g) ?? []))
}
