import type { ModelMessage } from 'ai'
import type { Message, MessageContent } from '../../../model/chat.ts'
import type { AgentTask } from '../../agent-runs/agent.ts'
import { bounds } from './model-limits.ts'
import { withEllipsis } from '../../../ports/cut-text.ts'
import { envelop } from './envelope.ts'
import type { RunNames } from './run-names.ts'

/**
 * One path through a chat as the model reads it when someone asks a question there: what people wrote has the role of the user, what
 * an agent wrote has the role of the model, and the *steps* in between (queries, charts, tools) are data attached to the next message
 * of a person. If not everything fits, the newest turns are kept.
 */
export function conversationBefore(
  messages: readonly Message[],
  task: Pick<AgentTask, 'runId' | 'instructions'>,
  runNames: Pick<RunNames, 'nameOf'>,
): ModelMessage[] {
  const asked = messages.findLastIndex(({ content }) => content.kind === 'question')
  const before = messages.slice(0, Math.max(asked, 0)).filter(({ agentRunId }) => agentRunId !== task.runId)
  const turns = newestThatFit(before.map(({ content }) => turnOf(content, runNames)).filter((turn) => turn !== undefined))
  return joined([...turns, { role: 'user', text: [task.instructions, ...remarksFor(messages, asked)].join('\n\n') }])
}

/** What the service adds to the question: the chosen database, and what it has already answered itself. */
function remarksFor(messages: readonly Message[], asked: number): string[] {
  const chosen = messages.findLast(({ content }) => content.kind === 'question' && content.databaseId !== undefined)?.content
  const note = messages.slice(asked + 1).find(({ agentRunId, content }) => agentRunId === null && content.kind === 'note')?.content
  return [
    ...(chosen?.kind === 'question' ? [`(Use the database ${chosen.databaseId}.)`] : []),
    ...(note?.kind === 'note' ? [`(Already answered: ${note.text} Answer the rest.)`] : []),
  ]
}

interface Turn {
  role: 'user' | 'assistant' | 'step'
  text: string
}

const maxCharactersOfMessage = 8_000
const stepCharacters = 2_000

function turnOf(content: MessageContent, runNames: Pick<RunNames, 'nameOf'>): Turn | undefined {
  switch (content.kind) {
    case 'instruction':
    case 'question':
      return { role: 'user', text: withEllipsis(content.text, maxCharactersOfMessage) }
    case 'text':
    case 'summary':
    case 'answer':
      return { role: 'assistant', text: withEllipsis(content.text, maxCharactersOfMessage) }
    case 'failure':
      return { role: 'step', text: `the run failed: ${content.reason}` }
    case 'query_run':
    case 'chart':
    case 'reference':
      return { role: 'step', text: withEllipsis(stepText(content, runNames), stepCharacters) }
    case 'tool_call':
    case 'note':
    case 'knowledge':
      return undefined
  }
}

function stepText(
  content: Extract<MessageContent, { kind: 'query_run' | 'chart' | 'reference' }>,
  { nameOf }: Pick<RunNames, 'nameOf'>,
): string {
  const named = (runId: string) => [nameOf(runId), runId].filter((name) => name !== undefined).join(' = ')
  if (content.kind === 'reference') return `saved reference ${content.shortId}: ${JSON.stringify(content.title)}`
  if (content.kind === 'chart') return `chart ${JSON.stringify(content.title)} of run ${named(content.runId)}`
  const { reference } = content
  const of = reference ? ` of reference ${reference.shortId} ${JSON.stringify(reference.title)}` : ''
  const outcome = content.status === 'completed' ? `${content.rowCount} rows` : (content.failureReason ?? content.status)
  const rows = content.preview ? `\nfirst rows: ${JSON.stringify(content.preview)}` : ''
  return `query run ${content.runId === null ? '(not started)' : named(content.runId)}${of}: ${outcome}\nsql: ${content.sql ?? ''}${rows}`
}

function newestThatFit(turns: Turn[]): Turn[] {
  let characters = 0
  const tooMuch = turns.findLastIndex((turn) => (characters += turn.text.length) > bounds.conversationCharacters)
  return turns.slice(tooMuch + 1)
}

/** Alternates user and model, as providers require, starting with the user. */
function joined(turns: Turn[]): ModelMessage[] {
  const messages: { role: 'user' | 'assistant'; content: string }[] = []
  let steps: string[] = []
  function say(role: 'user' | 'assistant', content: string) {
    const last = messages.at(-1)
    if (last?.role === role) last.content += `\n\n${content}`
    else if (role === 'user' || last) messages.push({ role, content })
    else messages.push({ role: 'user', content: 'The conversation began earlier.' }, { role, content })
  }
  for (const turn of turns) {
    if (turn.role === 'step') {
      steps.push(turn.text)
      continue
    }
    if (turn.role === 'user' && steps.length > 0) {
      say('user', envelop('Steps that were taken in this chat before.', steps.join('\n\n')))
      steps = []
    }
    say(turn.role, turn.text)
  }
  return messages
}
