import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Schema } from '../schema.ts'
import { visibleSchema } from '../set-viewer.ts'
import { currentViewer } from '../viewer.ts'

type CountedRun = Pick<Selectable<Schema['runs']>, 'id' | 'query_id' | 'number' | 'status' | 'rendered_sql' | 'row_bindings'>

/** Also runs with other bindings than the viewer's: a query has one unfinished run at a time, and all its runs are numbered together. */
export const allRuns = (): RawBuilder<CountedRun> => sql<CountedRun>`${sql.table(currentViewer() ? `${visibleSchema}.all_runs` : 'runs')}`
