import { CommandError, defineCommand } from '../command.ts'
import { describeScore } from '../evaluation/describe-score.ts'
import { readQuestionSets } from '../evaluation/find-question-set.ts'
import { openClient, toCommandError } from '../service-client.ts'
import { drawTable } from '../table.ts'

export const command = defineCommand({
  usage: '',
  description: 'Lists the question sets of your organization with their latest evaluations.',
  examples: [
    { line: 'querypost eval list', description: 'list all question sets' },
    { line: 'querypost eval list --json', description: 'list them as JSON' },
  ],
  options: {},
  async run(context, { operands }) {
    if (operands.length > 0) throw new CommandError(2, `${operands[0]} is one argument too many.`)
    const { stdout, stderr, paint, isJson, signal } = context
    try {
      const items = await readQuestionSets(openClient(context), signal)
      if (isJson) {
        stdout.write(`${JSON.stringify({ items })}\n`)
        return 0
      }
      if (items.length === 0) {
        stderr.write('No question sets yet. An admin can create one on the page Evaluations.\n')
        return 0
      }
      const columns = [
        { name: 'question set', isNumber: false },
        { name: 'questions', isNumber: true },
        { name: 'latest evaluation', isNumber: false },
        { name: 'model', isNumber: false },
        { name: 'evaluation id', isNumber: false, isNeverCut: true },
      ]
      const rows = items.map(({ name, questionCount, latestEvaluation: latest }) => [
        name,
        questionCount,
        latest ? describeScore(latest) : 'none',
        latest?.model ?? '',
        latest?.id ?? '',
      ])
      const width = stdout.isTTY ? (stdout.columns ?? 80) : undefined
      stdout.write(drawTable({ columns, rows, width, paint: paint.stdout }).text)
      return 0
    } catch (error) {
      if (signal.aborted) return 1
      throw toCommandError(error)
    }
  },
})
