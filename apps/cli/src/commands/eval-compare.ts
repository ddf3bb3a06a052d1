import type { EvaluationComparison, Querypost } from '@querypost/client'
import { CommandError, type Context, defineCommand } from '../command.ts'
import { describeScore } from '../evaluation/describe-score.ts'
import { findQuestionSet } from '../evaluation/find-question-set.ts'
import { openClient, toCommandError } from '../service-client.ts'
import { drawTable } from '../table.ts'

export const command = defineCommand({
  usage: '<question set> | <evaluation id> <evaluation id>',
  description:
    'Shows which questions improved or regressed between two evaluations: of two models, or before and after a change of your knowledge. ' +
    'With a question set, the two newest evaluations that have ended are compared, without changes that were only tried. The exit code is 1 if a question regressed.',
  examples: [
    { line: "querypost eval compare 'Sample shop'", description: 'compare the two newest evaluations' },
    { line: 'querypost eval compare evaluation_5b1c… evaluation_7d3k…', description: 'compare two evaluations, the earlier one first' },
  ],
  options: {},
  async run(context, { operands }) {
    const { signal, stdout, isJson } = context
    const client = openClient(context)
    try {
      const evaluations = await chooseEvaluations(client, operands, signal)
      const comparison = await client.evaluations.compare(evaluations.after, { with: evaluations.before, signal })
      if (isJson) stdout.write(`${JSON.stringify(comparison)}\n`)
      else print(context, comparison)
      return comparison.questions.some(({ change }) => change === 'regressed') ? 1 : 0
    } catch (error) {
      if (signal.aborted) return 1
      throw toCommandError(error)
    }
  },
})

async function chooseEvaluations(
  client: Querypost,
  operands: string[],
  signal: AbortSignal,
): Promise<{ before: string; after: string }> {
  const [first, second, ...others] = operands
  if (first === undefined || others.length > 0) {
    throw new CommandError(2, 'Name a question set, or two evaluations. Example: querypost eval compare "Sample shop"')
  }
  if (second !== undefined) return { before: first, after: second }
  const set = await findQuestionSet(client, first, signal)
  const ended: string[] = []
  for await (const { id, endedAt, proposal } of client.evaluations.list(set.id, { signal })) {
    if (endedAt !== null && proposal === null) ended.push(id)
    if (ended.length === 2) return { before: ended[1]!, after: ended[0]! }
  }
  throw new CommandError(1, `${set.name} has ${ended.length} evaluations that have ended. Run it again to compare.`)
}

function print({ stdout, paint }: Context, { before, after, questions }: EvaluationComparison): void {
  const changed = questions.filter(({ change }) => change !== 'same')
  if (changed.length > 0) {
    const columns = ['change', 'question', 'before', 'after'].map((name) => ({ name, isNumber: false }))
    const rows = changed.map((each) => [each.change, each.question, each.before?.status ?? '', each.after?.status ?? ''])
    const width = stdout.isTTY ? (stdout.columns ?? 80) : undefined
    stdout.write(drawTable({ columns, rows, width, paint: paint.stdout }).text)
  } else stdout.write('No question changed.\n')
  stdout.write(`before  ${before.model}: ${describeScore(before)}\nafter   ${after.model}: ${describeScore(after)}\n`)
}
