import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { prepared } from '../prepared.ts'
import { storeNow } from '../store-now.ts'

/** What one request to a model has used, and for whom. */
export interface RecordedModelUse {
  organizationId: string
  userId: string
  /** The automation, chat or evaluation that the model worked for. */
  sourceId: string
  model: string
  inputTokens: number
  outputTokens: number
}

/** Adds the tokens of one request to today's count. */
export async function addModelUsage(db: Db, use: RecordedModelUse): Promise<void> {
  await sql`${prepared}
    insert into model_usage (organization_id, day, user_id, source_id, model, input_tokens, output_tokens, request_count)
    values (${use.organizationId}, (${storeNow} at time zone 'UTC')::date, ${use.userId}, ${use.sourceId}, ${use.model},
      ${use.inputTokens}, ${use.outputTokens}, 1)
    on conflict (organization_id, day, user_id, source_id, model) do update set
      input_tokens = model_usage.input_tokens + excluded.input_tokens,
      output_tokens = model_usage.output_tokens + excluded.output_tokens,
      request_count = model_usage.request_count + 1`.execute(db)
}
