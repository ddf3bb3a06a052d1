import type { Figure, FigureSource } from '@querypost/answers'
import { createHash } from 'node:crypto'
import { readRows } from '../../../results/read-rows.ts'
import { RowTooLarge } from '../../../results/row-splitter.ts'
import type { QueryServices } from '../../services.ts'
import { readObservations } from '../../../store/agents/observations-table.ts'
import type { QueryRunStep } from '../../../model/chat.ts'
import { getReference } from '../../references/references.ts'
import type { ReferenceInFull } from '../../../model/reference.ts'
import { Refusal } from '../../refusal.ts'
import { cachedResultOf } from '../../results/results.ts'
import type { Run } from '../../../model/run.ts'
import { type Agent, AgentFailure, type AgentTask } from '../../agent-runs/agent.ts'
import { type QueryRunDeps, runReferenceToEnd } from '../query-runs.ts'
import type { Observation } from '../../../model/observation.ts'
import { digestResult } from './digest-result.ts'
import { explainTotal, type ExplainTotalDeps } from './explain-total.ts'
import { oneLine } from './one-line.ts'
import { sourceOf } from '../figure-source.ts'
import { type ReadResult, readResult } from './read-observed-rows.ts'
import { type Digested, summarize } from './summary.ts'

/**
 * The *digest* agent runs the automation's references in the ordinary way, compares the results with what it stored in the
 * automation's last completed run (an *observation* of each reference), and reports what changed. The same results and observations
 * always give the same summary. The rules are in `docs/digest.md`.
 */
export type DigestDeps = QueryRunDeps & ExplainTotalDeps & Pick<QueryServices, 'results' | 'baseUrl'>

export function makeDigestAgent(deps: DigestDeps): Agent {
  return async (task) => {
    if (task.references.length === 0) throw new AgentFailure(noReferences)
    const previous = task.automationId === null ? new Map() : await readObservations(deps.db, task.automationId)
    const digested: Digested[] = []
    const sources = new Map<string, FigureSource>()
    const observations: { referenceId: string; content: Observation }[] = []
    for (const shortId of task.references) {
      const outcome = await digestReference(deps, task, { shortId, previous })
      digested.push(outcome.digested)
      if (outcome.observation) observations.push(outcome.observation)
      for (const source of outcome.sources ?? []) sources.set(source.runId, source)
    }
    if (observations.length === 0) throw new AgentFailure(allFailed(digested))
    const { text, figures } = summarize(digested)
    return { summary: text, figures, sources: usedSources(figures, sources), observations, isNotable: digested.some(isNotable) }
  }
}

/** A query that failed is notable too. */
const isNotable = (one: Digested) => 'failure' in one || one.findings.isNotable

/** The runs that figures or their expressions name. */
function usedSources(figures: readonly Figure[], sources: ReadonlyMap<string, FigureSource>): FigureSource[] {
  const named = new Set(figures.flatMap(({ runId, expression }) => [runId!, ...(expression!.match(/\brun_\w+/g) ?? [])]))
  return [...sources.values()].filter(({ runId }) => named.has(runId))
}

const noReferences =
  'The automation has no queries: none was chosen, or all have been deleted. Edit it and choose at least one.'

function allFailed(digested: Digested[]): string {
  const reasons = digested.map((one) => `${one.title}: ${'failure' in one ? one.failure : ''}`)
  return reasons.length === 1 ? `The query failed. ${reasons[0]}` : `All queries failed. ${reasons.join(' ')}`
}

interface DigestOutcome {
  digested: Digested
  /** Absent if the query failed. */
  observation?: { referenceId: string; content: Observation }
  /** The run, and the one it is compared with. */
  sources?: FigureSource[]
}

async function digestReference(
  deps: DigestDeps,
  task: AgentTask,
  { shortId, previous }: { shortId: string; previous: ReadonlyMap<string, Observation> },
): Promise<DigestOutcome> {
  const step = await beginStep(deps, task, shortId)
  try {
    const run = await runReferenceToEnd(deps, task.caller, {
      shortId,
      notBefore: task.requestedAt,
      signal: task.signal,
      onStarted: step.started,
    })
    if (run.status === 'failed') return await step.failed(run.failureReason!)
    const result = await readResult(await readRows(await cachedResultOf(deps, run).open()))
    task.signal.throwIfAborted()
    await step.completed(result)
    const sqlHash = createHash('sha256').update(run.renderedSql).digest('base64url')
    const { runId, ...source } = sourceOf(run)
    const before = previous.get(step.referenceId!)
    const world = { before, nowMs: deps.clock.now().getTime() }
    const { picture, content, findings: found } = await digestResult(result, { ...run, sqlHash, source: { runId, ...source } }, world)
    const reasons = before ? await explainTotal(deps, { task, run, referenceId: step.referenceId!, result, picture, findings: found, previous: before }) : []
    const findings = { ...found, points: [...reasons, ...found.points] }
    return {
      digested: { title: step.title, runId, runUrl: runUrl(deps, runId), findings },
      observation: { referenceId: step.referenceId!, content },
      sources: [{ runId, ...source }, ...(before?.source ? [{ runId: before.runId, ...before.source }] : [])],
    }
  } catch (error) {
    // Report what the reader can fix. Anything else is an internal error or the end of the agent's run.
    if (error instanceof Refusal || error instanceof RowTooLarge) return step.failed(error.message)
    throw error
  }
}

const runUrl = (deps: Pick<QueryServices, 'baseUrl'>, runId: string) => `${deps.baseUrl}/runs/${runId}`

/** The chat step that shows the reference's query run from start to finish. */
async function beginStep(deps: DigestDeps, { chat, caller }: AgentTask, shortId: string) {
  const reference = await findReference(deps, caller, shortId)
  const title = reference?.title ?? shortId
  let content: QueryRunStep = {
    kind: 'query_run',
    runId: null,
    reference: { shortId, title },
    sql: null,
    parameterValues: {},
    ...(reference?.visualization?.columns && { columns: reference.visualization.columns }),
    status: 'pending',
    rowCount: null,
    preview: null,
    failureReason: null,
  }
  const number = await chat.add(content)
  async function change(changes: Partial<QueryRunStep>) {
    content = { ...content, ...changes }
    await chat.change(number, content)
  }
  return {
    title,
    referenceId: reference?.id,
    started: (run: Run) =>
      change({ runId: run.id, sql: run.renderedSql, parameterValues: run.parameterValues, status: 'running' }),
    completed: ({ rowCount, preview }: ReadResult) => change({ status: 'completed', rowCount, preview }),
    async failed(failure: string): Promise<DigestOutcome> {
      await change({ status: 'failed', failureReason: failure })
      return { digested: { title, runUrl: content.runId && runUrl(deps, content.runId), failure: oneLine(failure) } }
    },
  }
}

/** Undefined when it has just been deleted: running it will report that. */
async function findReference(
  deps: DigestDeps,
  caller: AgentTask['caller'],
  shortId: string,
): Promise<ReferenceInFull | undefined> {
  try {
    return await getReference(deps, caller, shortId)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
