import { CommandError, defineCommand } from '../command.ts'
import { describeScore } from '../evaluation/describe-score.ts'
import { readQuestionSets } from '../evaluation/find-question-set.ts'
import { openClient, toCommandError } from '../service-client.ts'
import { writeList } from '../write-list.ts'

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
    const { signal } = context
    try {
      const items = await readQuestionSets(openClient(context), signal)
      writeList(context, { items }, {
        columns: [
          { name: 'question set', isNumber: false },
          { name: 'questions', isNumber: true },
          { name: 'latest evaluation', isNumber: false },
          { name: 'model', isNumber: false },
          { name: 'evaluation id', isNumber: false, isNeverCut: true },
        ],
        rowOf: ({ name, questionCount, latestEvaluation: latest }) => [
          name,
          questionCount,
          latest ? describeScore(latest) : 'none',
          latest?.model ?? '',
          latest?.id ?? '',
        ],
        whenEmpty: 'No question sets yet. An admin can create one on the page Evaluations.',
      })
      return 0
    } catch (error) {
      if (signal.aborted) return 1
      throw toCommandError(error)
    }
  },
})
