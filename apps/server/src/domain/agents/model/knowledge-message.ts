import type { ModelMessage } from 'ai'
import type { Log } from '../../../ports/log.ts'
import type { AgentTask } from '../../agent-runs/agent.ts'
import { type ChosenKnowledge, chooseKnowledge } from '../../knowledge/choose-knowledge.ts'
import { metricSynonyms } from '../../knowledge/metric-synonyms.ts'
import { findKnowledge } from '../../knowledge/find-knowledge.ts'
import { refreshStaleCatalogs } from '../../knowledge/refresh-catalogs.ts'
import { envelop, neutralize } from './envelope.ts'
import { bounds } from './model-limits.ts'
import type { ToolDeps } from './tools/tool-world.ts'

/** Tables beyond these are part of the prompt too, but the chat names only the best. */
const namedTables = 5

/**
 * Adds what the organization knows about the task to the last message, and to the chat what that is. Admins' instructions and metrics are
 * instructions. What comes from databases, or can be changed by any member, is data in the envelope. The names of the metrics are also
 * synonyms, by which the answer may call their figures.
 */
export async function withKnowledge(deps: ToolDeps & { log: Log }, task: InformedTask, messages: ModelMessage[]): Promise<Informed> {
  await refreshStaleCatalogs(deps, task.caller)
  return addKnowledge(deps, task, messages)
}

type InformedTask = Pick<AgentTask, 'caller' | 'chat' | 'evaluation'>

interface Informed {
  messages: ModelMessage[]
  synonyms: Record<string, string[]>
}

/** The same without asking any database about its tables. */
export async function addKnowledge(deps: Pick<ToolDeps, 'db'>, task: InformedTask, messages: ModelMessage[]): Promise<Informed> {
  const { caller, chat } = task
  const last = messages.at(-1)
  if (last?.role !== 'user' || typeof last.content !== 'string') return { messages, synonyms: {} }
  const { organizationId } = caller
  const proposal = task.evaluation?.proposal
  const search = { organizationId, text: writtenByPeople(messages), count: bounds.knowledgeCandidates, proposal }
  const found = await findKnowledge(deps, search)
  const synonyms = metricSynonyms(found.metrics.map(({ content }) => content))
  const chosen = chooseKnowledge(found, bounds.knowledgeCharacters)
  if (chosen.used.length === 0) return { messages, synonyms }
  const tables = chosen.used.filter(({ kind }) => kind === 'table')
  await chat.add({ kind: 'knowledge', used: chosen.used.filter((each) => tables.indexOf(each) < namedTables) })
  const informed: ModelMessage = { role: 'user', content: `${presentKnowledge(chosen)}\n\n${last.content}` }
  return { messages: [...messages.slice(0, -1), informed], synonyms }
}

/** The newest messages of people, newest first: a follow-up question often names only what is different. */
function writtenByPeople(messages: ModelMessage[]): string {
  const texts = messages.flatMap(({ role, content }) => (role === 'user' && typeof content === 'string' ? [content] : []))
  const own = texts.map((text) => text.replaceAll(/<untrusted_data>[^]*?<\/untrusted_data>/g, ' '))
  return own.slice(-3).toReversed().join('\n')
}

function presentKnowledge({ trusted, untrusted }: ChosenKnowledge): string {
  const parts = [
    ...(trusted.length > 0
      ? [
          'The organization’s admins have written down the following. Follow it, and compute a metric as it is defined here.',
          ...trusted.map(neutralize),
        ]
      : []),
    ...(untrusted.length > 0
      ? [
          envelop(
            'Verified queries and tables that may be relevant. Prefer a verified query to SQL of your own, and a described column to a guess.',
            untrusted.join('\n\n'),
          ),
        ]
      : []),
  ]
  return parts.join('\n\n')
}
