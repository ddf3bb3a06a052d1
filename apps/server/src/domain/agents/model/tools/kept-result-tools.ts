import { Type } from 'typebox'
import type { ResultRows } from '../../../results/result-rows.ts'
import type { RunNames } from '../run-names.ts'
import { bounds } from '../model-limits.ts'
import { defineTool, type ModelTool, ToolFailure } from './model-tool.ts'
import { presentRows } from './rows-for-model.ts'
import { asToolFailure } from './tool-step.ts'

/** A reference of the automation, with its result at the time of the preview. */
export interface KeptReference {
  shortId: string
  title: string
  /** Undefined if there was none. */
  result: { runId: string; rowCount: number; open(): Promise<ResultRows> } | undefined
}

/**
 * The tools of the model when it writes the summary of a past day. They read kept results and can do nothing else. `run_sql` exists because
 * models expect it; its refusal says what to do instead.
 */
export function keptResultTools(references: readonly KeptReference[], runNames: RunNames): ModelTool[] {
  return [readKeptReference(references, runNames), refusedSql]
}

function readKeptReference(references: readonly KeptReference[], runNames: RunNames): ModelTool {
  return defineTool({
    name: 'read_reference',
    description:
      'Shows the result that a saved reference had at that time: ' +
      `at most ${bounds.rows} rows or ${bounds.toolResultCharacters / 1024} KB of it.`,
    input: Type.Object({ shortId: Type.String({ description: 'The identifier of the reference' }) }, { additionalProperties: false }),
    async call({ shortId }) {
      const reference = references.find((each) => each.shortId === shortId)
      if (!reference) {
        throw new ToolFailure(`Only the references of the task can be read: ${references.map((each) => each.shortId).join(', ')}.`)
      }
      const { title, result } = reference
      if (!result) throw new ToolFailure('This reference had no result at that time.')
      const { fields, rows } = await firstRows(result)
      const name = runNames.add({ runId: result.runId, title })
      const lead = `Run ${name} (${result.runId}). Write its figures as {{${name}: expression}}.`
      return presentRows({ fields, rows, lead, rowCount: result.rowCount })
    },
  })
}

async function firstRows({ open }: NonNullable<KeptReference['result']>) {
  const { fields, rows: all } = await open().catch((error: unknown) => {
    throw asToolFailure(error)
  })
  const rows: unknown[][] = []
  for await (const row of all) {
    rows.push(row)
    if (rows.length >= bounds.rows) break
  }
  return { fields, rows }
}

const refusedSql = defineTool({
  name: 'run_sql',
  description: 'Not available for this task: it refuses every statement.',
  input: Type.Object({}),
  call: async () => {
    throw new ToolFailure('SQL is not run for a past summary. Use the results that read_reference shows.')
  },
})
