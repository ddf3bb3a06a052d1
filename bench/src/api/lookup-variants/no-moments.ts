/** For variants that remember nothing: their statements do not pay for the moment. */
import { sql } from 'kysely'
import type { Moment } from '../../../../apps/server/src/store/moments.ts'

export const momentOfStatement = sql<string>`''`
export const makeMoments = (): Moment => async () => ''
