import type { EvaluationInFull } from '@querypost/client'
import { CommandError, type Context, defineCommand } from '../command.ts'
import { describeScore, percent } from '../evaluation/describe-score.ts'
import { findQuestionSet } from '../evaluation/find-question-set.ts'
import { makeProgressLine } from '../progress-line.ts'
import { openClient, toCommandError } from '../service-client.ts'
import { drawTable } from '../table.ts'

export const command = defineCommand({
  usage: '<question set>',
  description:
    'Asks your organization’s model all questions of a set, waits for the answers, and shows which results are not the expected ones. ' +
    'Needs the API key of an admin.\n\n' +
    'With --min-score, the exit code is 1 if the share of correct answers is lower. If you interrupt the command, the evaluation continues.',
  examples: [
    { line: "querypost eval run 'Sample shop'", description: 'evaluate a set by its name' },
    { line: "querypost eval run 'Sample shop' --min-score 0.8", description: 'fail in CI below 80%' },
    { line: "querypost eval run 'Sample shop' --label 'with metrics' --json", description: 'name the evaluation, and print it as JSON' },
  ],
  options: {
    'min-score': { type: 'string', value: 'share', description: 'exit with 1 below this share of correct answers, 0 to 1' },
    label: { type: 'string', value: 'text', description: 'what you want to remember about this evaluation' },
  },
  async run(context, { operands, options }) {
    const [given, ...others] = operands
    if (given === undefined || others.length > 0) throw new CommandError(2, 'Name one question set. Example: querypost eval run "Sample shop"')
    const minScore = readScore(options['min-score'])
    const { signal, stdout, stderr, isJson } = context
    const client = openClient(context)
    const line = makeProgressLine(context)
    let latest: EvaluationInFull | undefined
    try {
      const set = await findQuestionSet(client, given, signal)
      const evaluation = await client.questionSets.evaluateAndWait(set.id, {
        signal,
        label: options.label,
        onEvaluation(seen) {
          latest = seen
          line.show(describeProgress(seen))
        },
      })
      line.clear()
      if (isJson) stdout.write(`${JSON.stringify(evaluation)}\n`)
      else print(context, evaluation)
      const isEnough = evaluation.score! >= minScore
      if (!isEnough) stderr.write(`The score is below ${percent(minScore)}.\n`)
      return isEnough ? 0 : 1
    } catch (error) {
      line.clear()
      if (!signal.aborted) throw toCommandError(error)
      if (latest?.endedAt === null) stderr.write(`The evaluation continues: ${latest.url}\n`)
      return 1
    }
  },
})

function readScore(given: string | undefined): number {
  if (given === undefined) return 0
  const score = /^\d*\.?\d+$/.test(given) ? Number(given) : Number.NaN
  if (!(score <= 1)) throw new CommandError(2, `--min-score ${given} is not a share from 0 to 1. Example: --min-score 0.8`)
  return score
}

function describeProgress({ counts }: EvaluationInFull): string {
  const left = counts.waiting + counts.running
  return `${counts.correct} correct, ${counts.wrong} wrong, ${counts.failed} failed, ${left} left`
}

function print({ stdout, stderr, paint }: Context, evaluation: EvaluationInFull): void {
  const missed = evaluation.answers.filter(({ status }) => status !== 'correct')
  if (missed.length > 0) {
    const columns = ['status', 'question', 'explanation'].map((name) => ({ name, isNumber: false }))
    const rows = missed.map(({ status, question, explanation }) => [status, question.text, explanation ?? ''])
    const width = stdout.isTTY ? (stdout.columns ?? 80) : undefined
    stdout.write(drawTable({ columns, rows, width, paint: paint.stdout }).text)
  }
  stdout.write(`${describeScore(evaluation)}\n`)
  stderr.write(`${paint.stderr.dim(`${evaluation.model}: ${evaluation.url}`)}\n`)
}
