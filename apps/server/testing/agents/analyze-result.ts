import type { Figure } from '@querypost/answers'
import type { Field } from '../../src/model/result.ts'
import { find } from '../../src/domain/agents/digest/find.ts'
import type { Findings } from '../../src/domain/agents/digest/findings.ts'
import type { Observation } from '../../src/model/observation.ts'
import { drawPicture, type Picture } from '../../src/domain/agents/digest/picture.ts'
import { type ReadResult, readResult } from '../../src/domain/agents/digest/read-observed-rows.ts'
import { remember } from '../../src/domain/agents/digest/remember.ts'
import { summarize } from '../../src/domain/agents/digest/summary.ts'

export interface Look {
  result: ReadResult
  picture: Picture
  findings: Findings
  observation: Observation
  summary: string
  figures: Figure[]
}

/** Analyzes a result as the agent does, compared with an earlier observation. */
export async function look(options: {
  fields: Field[]
  rows: unknown[][]
  title?: string
  runId?: string
  previous?: Observation
  now?: string
  cutDates?: string[]
  sqlHash?: string
}): Promise<Look> {
  const { fields, rows, runId = 'run_now', sqlHash = 'same' } = options
  const batches = (async function* () {
    for (let at = 0; at < rows.length; at += 1000) yield rows.slice(at, at + 1000)
  })()
  const result = await readResult({ fields, batches })
  const nowMs = Date.parse(options.now ?? '2026-01-05T09:00:00Z')
  const picture = drawPicture(result, { nowMs, cutDates: (options.cutDates ?? []).map((date) => Date.parse(date)) })
  const source = { sql: `select '${runId}'`, parameters: {}, resultHash: `hash of ${runId}` }
  const observation = remember(picture, { runId, sqlHash, source })
  const findings = find(picture, { previous: options.previous, now: observation })
  const runUrl = `https://querypost.test/runs/${runId}`
  const { text: summary, figures } = summarize([{ title: options.title ?? 'Title', runId, runUrl, findings }])
  return { result, picture, findings, observation, summary, figures }
}
