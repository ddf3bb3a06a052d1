import type { Figure, FigureSource, Proof, ProofFigure } from '@querypost/answers'
import type { Db } from '../../store/db.ts'
import { findSummary, findWrittenText } from '../../store/chats/find-written-text.ts'
import type { Caller } from '../../model/caller.ts'
import type { WrittenText } from '../../model/chat.ts'
import { getRunOfAutomation } from '../agent-runs/agent-runs.ts'
import { getChatRow } from '../chats/chats.ts'
import { Refusal } from '../refusal.ts'

/**
 * A *proof* has everything that is needed to compute the figures of a text again: for each, its expression and the query run with the
 * hash of its result. It is kept with the text, so it outlives the runs and their results.
 */
export async function getProofOfRun(deps: { db: Db }, caller: Caller, runId: string): Promise<Proof> {
  const run = await getRunOfAutomation(deps, caller, runId)
  const { organizationId } = caller
  const summary = await findSummary(deps.db, { organizationId, agentRunId: run.id })
  return proofOf(summary, `The run ${run.id} has no summary: ${run.status === 'failed' ? 'it failed' : `it is ${run.status}`}.`)
}

export async function getProofOfMessage(
  deps: { db: Db },
  caller: Caller,
  { shortId, number }: { shortId: string; number: string },
): Promise<Proof> {
  const { id: chatId } = await getChatRow(deps, caller, shortId)
  const key = { organizationId: caller.organizationId, chatId, number: Number(number) }
  const text = numberPattern.test(number) ? await findWrittenText(deps.db, key) : undefined
  if (text === undefined) throw new Refusal('message_not_found', `The chat has no message ${JSON.stringify(number.slice(0, 20))}.`)
  return proofOf(text, `An agent did not write the message ${number}.`)
}

const numberPattern = /^[1-9]\d{0,8}$/

function proofOf(text: WrittenText | null | undefined, why: string): Proof {
  if (!text) throw new Refusal('proof_not_found', why)
  if (!text.figures) throw new Refusal('proof_not_found', 'This was written before figures were proven.')
  const sources = new Map(text.sources?.map((source) => [source.runId, source]))
  return { text: text.text, figures: text.figures.flatMap((figure) => presentFigure(figure, sources)) }
}

function presentFigure(figure: Figure, sources: ReadonlyMap<string, FigureSource>): ProofFigure[] {
  const { id, text, value, unit, runId, expression } = figure
  const source = sources.get(runId ?? '')
  if (!figure.isProven || value === null || unit === null || expression === null || !source) return []
  const others = otherRuns(expression, source.runId).flatMap((other) => sources.get(other) ?? [])
  return [{ id, text, value, unit, ...source, expression, ...(others.length > 0 && { sources: others }) }]
}

/** The runs that an expression takes values from besides the figure's own: `sum(revenue) of run_…`. */
const otherRuns = (expression: string, runId: string) =>
  [...new Set(expression.match(/\brun_\w+/g))].filter((other) => other !== runId)
