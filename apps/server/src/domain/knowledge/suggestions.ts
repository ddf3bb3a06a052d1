import type { Caller } from '../../model/caller.ts'
import { knowledgeLimits, type Suggestion, type SuggestionState, type SuggestionTarget } from '../../model/knowledge.ts'
import { findChat } from '../../store/chats/read-chats.ts'
import type { Db, Tx } from '../../store/db.ts'
import { findKnowledgeItem, lockKnowledge } from '../../store/knowledge/knowledge-items.ts'
import {
  countOpenSuggestions,
  decideSuggestion,
  findSuggestion,
  insertSuggestion,
  listSuggestions as readSuggestions,
} from '../../store/knowledge/suggestions-table.ts'
import { requireAdmin } from '../access/require-admin.ts'
import { recordAction } from '../audit/record-action.ts'
import { getDatabaseConfig } from '../databases/get-database-config.ts'
import { isId, newOrderedId, shortIdPattern } from '../ids.ts'
import { badInput } from '../people/check-text.ts'
import { Refusal } from '../refusal.ts'
import { changeKnowledge, type KnowledgeDeps } from './change-knowledge.ts'
import { checkLongText } from './check-knowledge.ts'
import { checkInstructions, instructionsSubject } from './instructions.ts'
import { changeTableDescription, checkTableDescription, getCatalogTable, readTableDescription } from './table-descriptions.ts'

const listedMax = 500

/** Newest first. Admins see everyone's suggestions, members their own. */
export function listSuggestions(deps: { db: Db }, caller: Caller, state: SuggestionState): Promise<Suggestion[]> {
  const own = caller.role === 'admin' ? {} : { suggestedBy: caller.userId }
  return readSuggestions(deps.db, { organizationId: caller.organizationId, state, ...own, limit: listedMax })
}

export interface GivenSuggestion {
  text: string
  target: SuggestionTarget
  /** The answer that it is about. */
  chat: Suggestion['chat']
}

/** Any member may suggest something. It becomes knowledge only if an admin accepts it. */
export async function suggestKnowledge(deps: KnowledgeDeps, caller: Caller, given: GivenSuggestion): Promise<Suggestion> {
  const { organizationId, userId } = caller
  const text = checkSuggestion(given.text)
  const target = await checkTarget(deps, caller, given.target)
  if (given.chat) await requireChat(deps, caller, given.chat.shortId)
  const id = newOrderedId(deps, 'suggestion')
  return deps.db.transaction().execute(async (tx) => {
    await lockKnowledge(tx, organizationId)
    refuseTooMany(await countOpenSuggestions(tx, { organizationId, userId }))
    const { chat } = given
    await insertSuggestion(tx, { id, organizationId, text, target, chat, suggestedBy: userId, suggestedAt: deps.clock.now() })
    await recordAction({ ...deps, tx }, caller, { action: 'knowledge.suggested', subject: subjectOf(id), details: { text } })
    return (await findSuggestion(tx, { organizationId, suggestionId: id }))!
  })
}

/** Adds the suggestion to the knowledge, with the text and target as the admin has edited them. */
export async function acceptSuggestion(
  deps: KnowledgeDeps,
  caller: Caller,
  input: { suggestionId: string; text: string; target: SuggestionTarget },
): Promise<Suggestion> {
  requireAdmin(caller)
  await getSuggestion(deps.db, caller, input.suggestionId)
  const text = checkSuggestion(input.text)
  const target = await checkTarget(deps, caller, input.target)
  return deps.db.transaction().execute(async (tx) => {
    await lockKnowledge(tx, caller.organizationId)
    await decide({ ...deps, tx }, caller, { suggestionId: input.suggestionId, state: 'accepted' })
    await addToTarget({ ...deps, tx }, caller, { text, target })
    return getSuggestion(tx, caller, input.suggestionId)
  })
}

export async function declineSuggestion(deps: KnowledgeDeps, caller: Caller, suggestionId: string): Promise<Suggestion> {
  requireAdmin(caller)
  await getSuggestion(deps.db, caller, suggestionId)
  return deps.db.transaction().execute(async (tx) => {
    await decide({ ...deps, tx }, caller, { suggestionId, state: 'declined' })
    return getSuggestion(tx, caller, suggestionId)
  })
}

type TxDeps = Omit<KnowledgeDeps, 'db'> & { tx: Tx }

async function decide(
  deps: TxDeps,
  caller: Caller,
  { suggestionId, state }: { suggestionId: string; state: 'accepted' | 'declined' },
): Promise<void> {
  const { organizationId, userId } = caller
  const decision = { organizationId, suggestionId, state, decidedBy: userId, decidedAt: deps.clock.now() }
  if (!(await decideSuggestion(deps.tx, decision))) {
    throw new Refusal('knowledge_changed', 'This suggestion has already been accepted or declined. Reload the page.')
  }
  await recordAction(deps, caller, { action: `knowledge.suggestion_${state}`, subject: subjectOf(suggestionId) })
}

/** A line of the instructions, or a sentence of the description. */
async function addToTarget(deps: TxDeps, caller: Caller, { text, target }: { text: string; target: SuggestionTarget }): Promise<void> {
  if (target.kind === 'instructions') {
    const { organizationId } = caller
    const subject = instructionsSubject(target)
    const before = (await findKnowledgeItem(deps.tx, { organizationId, kind: 'instructions', subject }))?.content?.text ?? ''
    const content = checkInstructions({
      kind: 'instructions',
      databaseId: target.databaseId,
      text: before === '' ? `- ${text}` : `${before}\n- ${text}`,
    })
    await changeKnowledge(deps, caller, { kind: 'instructions', subject, content })
    return
  }
  const { column, kind: _, ...table } = target
  const before = await readTableDescription(deps.tx, caller, table)
  const added = (description: string | null | undefined) => (description ? `${description} ${text}` : text)
  const changed =
    column === null
      ? { description: added(before.description) }
      : { columns: { ...before.columns, [column]: added(before.columns[column]) } }
  await changeTableDescription(deps, caller, { content: checkTableDescription({ ...before, ...changed }) })
}

async function checkTarget(deps: { db: Db }, caller: Caller, target: SuggestionTarget): Promise<SuggestionTarget> {
  if (target.databaseId !== null) await getDatabaseConfig(deps, caller, target.databaseId)
  if (target.kind === 'instructions') return { kind: 'instructions', databaseId: target.databaseId }
  const { databaseId, schema, table, column } = target
  const { columns } = await getCatalogTable(deps.db, caller, { databaseId, schema, table })
  if (column !== null && !columns.some(({ name }) => name === column)) {
    throw badInput('/target/column', 'is not a column of this table')
  }
  return { kind: 'table', databaseId, schema, table, column }
}

function checkSuggestion(given: string): string {
  const text = checkLongText({ path: '/text', text: given, maxCharacters: knowledgeLimits.suggestionCharacters })
  if (text === '') throw badInput('/text', 'must not be empty')
  return text
}

async function requireChat(deps: { db: Db }, { organizationId }: Caller, shortId: string): Promise<void> {
  const chat = shortIdPattern.test(shortId) ? await findChat(deps.db, { organizationId, shortId }) : undefined
  if (!chat) throw new Refusal('chat_not_found', `There is no chat ${JSON.stringify(shortId)}.`)
}

async function getSuggestion(db: Db, { organizationId }: Caller, suggestionId: string): Promise<Suggestion> {
  const found = isId(suggestionId) ? await findSuggestion(db, { organizationId, suggestionId }) : undefined
  if (found) return found
  throw new Refusal('knowledge_not_found', `There is no suggestion ${JSON.stringify(suggestionId)}.`)
}

function refuseTooMany({ total, own }: { total: number; own: number }): void {
  const { openSuggestions, openSuggestionsOfOne } = knowledgeLimits
  if (own >= openSuggestionsOfOne) {
    throw new Refusal('invalid_request', `You have ${own} open suggestions, the maximum. Wait until an admin has decided about some.`)
  }
  if (total >= openSuggestions) {
    throw new Refusal('invalid_request', `Your organization has ${total} open suggestions, the maximum. Ask an admin to decide about some.`)
  }
}

const subjectOf = (id: string) => ({ type: 'suggestion', id, name: null }) as const
