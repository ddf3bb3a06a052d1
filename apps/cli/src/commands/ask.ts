import type { Chat } from '@querypost/client'
import { answerText, figureLines, withoutControls } from '../ask/answer-text.ts'
import { type Answered, followAnswer } from '../ask/follow-answer.ts'
import { CommandError, type Context, defineCommand } from '../command.ts'
import { makeProgressLine } from '../progress-line.ts'
import { openClient, toCommandError } from '../service-client.ts'

export const command = defineCommand({
  usage: '<question>',
  description:
    'Asks a question in plain words, shows what the agent does, and prints the answer. At a terminal, the runs that its figures were\n' +
    'computed from follow. Your organization needs an AI model.\n' +
    '\n' +
    'If you interrupt the command, the agent goes on; read the answer at the chat’s permalink.',
  examples: [
    { line: 'querypost ask "How many orders did we get last week?"', description: 'start a chat' },
    { line: 'querypost ask --chat m4k2x8qdpw "And the week before?"', description: 'ask a follow-up question' },
    { line: 'querypost ask --json "Revenue in May?" | jq -r .answer.text', description: 'the answer for another program' },
  ],
  options: {
    chat: { type: 'string', short: 'c', value: 'shortId', description: 'continue this chat; its permalink works too' },
    database: { type: 'string', short: 'd', value: 'id', description: 'answer from this database (db_…)' },
  },
  async run(context, { operands, options }) {
    const question = operands.join(' ').trim()
    if (question === '') throw new CommandError(2, 'Ask a question: querypost ask "How many orders did we get last week?"')
    if (options.chat !== undefined && options.database !== undefined) {
      throw new CommandError(2, '--database is for a new chat. A chat stays with its database.')
    }
    const client = openClient(context)
    const { signal } = context
    const line = makeProgressLine(context)
    let chat: Chat | undefined
    try {
      chat = await (options.chat === undefined
        ? client.chats.create({ question, ...(options.database !== undefined && { analyticalDatabaseConfigId: options.database }) }, { signal })
        : client.chats.ask(shortIdIn(options.chat), { question }, { signal }))
      line.show('Waiting for an agent')
      const answered = await followAnswer(client, { chat, signal, onStep: ({ text }) => line.show(withoutControls(text)) })
      line.clear()
      return print(context, chat, answered)
    } catch (error) {
      line.clear()
      if (!signal.aborted) throw toCommandError(error)
      if (chat) context.stderr.write(`The agent goes on answering. Read the answer at ${chat.permalink}\n`)
      return 1
    }
  },
})

/** The short id in a permalink, or the short id itself. */
const shortIdIn = (given: string): string => /\/chats\/([^/?#]+)/.exec(given)?.[1] ?? given

function print(context: Context, chat: Chat, { answer, steps }: Answered): 0 | 1 {
  const { stdout, stderr, paint } = context
  const { shortId, permalink, title } = chat
  const exitCode = answer.kind === 'answer' ? 0 : 1
  if (context.isJson) {
    stdout.write(`${JSON.stringify({ shortId, permalink, title, answer, steps })}\n`)
    return exitCode
  }
  if (answer.kind === 'failure') {
    stderr.write(`${paint.stderr.red('No answer:')} ${withoutControls(answer.text)}\n`)
    return exitCode
  }
  stdout.write(`${answerText(answer.text, paint.stdout)}\n`)
  if (!stdout.isTTY) return exitCode
  const lines = figureLines(answer, permalink.replace(/\/chats\/[^/]*$/, ''))
  if (lines.length > 0) stdout.write(`\n${lines.map((line) => paint.stdout.dim(line)).join('\n')}\n`)
  stderr.write(`\n${paint.stderr.dim(`${permalink}\nContinue: querypost ask --chat ${shortId} "…"`)}\n`)
  return exitCode
}
