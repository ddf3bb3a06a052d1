import { Type } from 'typebox'
import { getRun } from '../../../runs/read-runs.ts'
import { defineTool, type ModelTool, ToolFailure } from './model-tool.ts'
import { withToolStep } from './tool-step.ts'
import type { ToolWorld } from './tool-world.ts'

const name = 'answer_with_run'

/** Only in evaluations: the model names the result that is its answer, because its text is not compared with anything. */
export function answerWithRun(world: ToolWorld, nameRun: (runId: string) => void): ModelTool {
  return defineTool({
    name,
    description:
      'Names the query run whose result is the answer to the question. The result must consist of exactly the columns and rows that ' +
      'the question asks for. Call it before you write your answer.',
    input: Type.Object(
      { runId: Type.String({ description: 'As returned by run_sql or read_reference' }) },
      { additionalProperties: false },
    ),
    call: (input) =>
      withToolStep(world.chat, { tool: name, connector: null, input }, async () => {
        const runId = world.runNames.find(input.runId)?.runId ?? input.runId
        const run = await getRun(world, world.caller, runId)
        if (run.status !== 'completed') throw new ToolFailure(`The run ${input.runId} has no result: it is ${run.status}.`)
        nameRun(run.id)
        return 'Noted. Write your answer now.'
      }),
  })
}
