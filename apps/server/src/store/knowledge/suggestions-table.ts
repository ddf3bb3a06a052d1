import type { Suggestion, SuggestionState } from '../../model/knowledge.ts'
import type { Db, Tx } from '../db.ts'

export interface NewSuggestion extends Pick<Suggestion, 'id' | 'organizationId' | 'text' | 'target' | 'chat' | 'suggestedAt'> {
  suggestedBy: string
}

export async function insertSuggestion(tx: Tx, suggestion: NewSuggestion): Promise<void> {
  await tx
    .insertInto('knowledge_suggestions')
    .values({
      id: suggestion.id,
      organization_id: suggestion.organizationId,
      text: suggestion.text,
      target: JSON.stringify(suggestion.target),
      chat_short_id: suggestion.chat?.shortId ?? null,
      message_number: suggestion.chat?.messageNumber ?? null,
      state: 'open',
      suggested_by: suggestion.suggestedBy,
      suggested_at: suggestion.suggestedAt,
      decided_by: null,
      decided_at: null,
    })
    .execute()
}

/** Newest first; those of one person if `suggestedBy` is given. */
export async function listSuggestions(
  db: Db,
  of: { organizationId: string; state: SuggestionState; suggestedBy?: string; limit: number },
): Promise<Suggestion[]> {
  const { suggestedBy } = of
  const rows = await select(db)
    .where('organization_id', '=', of.organizationId)
    .where('state', '=', of.state)
    .$if(suggestedBy !== undefined, (own) => own.where('suggested_by', '=', suggestedBy!))
    .orderBy('suggested_at', 'desc')
    .orderBy('knowledge_suggestions.id', 'desc')
    .limit(of.limit)
    .execute()
  return rows.map(present)
}

/** Counts open suggestions, of all people and of one. */
export async function countOpenSuggestions(
  tx: Tx,
  of: { organizationId: string; userId: string },
): Promise<{ total: number; own: number }> {
  const { total, own } = await tx
    .selectFrom('knowledge_suggestions')
    .select(({ fn }) => [
      fn.countAll<number>().as('total'),
      fn.countAll<number>().filterWhere('suggested_by', '=', of.userId).as('own'),
    ])
    .where('organization_id', '=', of.organizationId)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  return { total: Number(total), own: Number(own) }
}

export async function findSuggestion(
  db: Db | Tx,
  key: { organizationId: string; suggestionId: string },
): Promise<Suggestion | undefined> {
  const row = await select(db)
    .where('organization_id', '=', key.organizationId)
    .where('knowledge_suggestions.id', '=', key.suggestionId)
    .executeTakeFirst()
  return row && present(row)
}

/** False if the suggestion has been decided before. */
export async function decideSuggestion(
  tx: Tx,
  decision: {
    organizationId: string
    suggestionId: string
    state: 'accepted' | 'declined'
    decidedBy: string
    decidedAt: Date
  },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('knowledge_suggestions')
    .set({ state: decision.state, decided_by: decision.decidedBy, decided_at: decision.decidedAt })
    .where('organization_id', '=', decision.organizationId)
    .where('id', '=', decision.suggestionId)
    .where('state', '=', 'open')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const select = (db: Db | Tx) =>
  db
    .selectFrom('knowledge_suggestions')
    .innerJoin('users as author', 'author.id', 'suggested_by')
    .leftJoin('users as admin', 'admin.id', 'decided_by')
    .select([
      'knowledge_suggestions.id',
      'organization_id',
      'text',
      'target',
      'chat_short_id',
      'message_number',
      'state',
      'suggested_by',
      'suggested_at',
      'author.name as suggested_by_name',
      'decided_by',
      'decided_at',
      'admin.name as decided_by_name',
    ])

function present(row: Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number]): Suggestion {
  return {
    id: row.id,
    organizationId: row.organization_id,
    text: row.text,
    target: row.target,
    chat: row.chat_short_id === null ? null : { shortId: row.chat_short_id, messageNumber: row.message_number! },
    state: row.state,
    suggestedBy: { id: row.suggested_by, name: row.suggested_by_name },
    suggestedAt: row.suggested_at,
    decidedBy: row.decided_by === null ? null : { id: row.decided_by, name: row.decided_by_name! },
    decidedAt: row.decided_at,
  }
}
