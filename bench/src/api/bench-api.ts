import { runParts } from '../run-parts.ts'
import { measureLists } from './lists.ts'
import { measureLookups } from './lookups.ts'
import { measureMemory } from './memory.ts'
import { measureRefresh } from './measure-refresh.ts'
import { measureRequests } from './requests.ts'
import { measureResultRoute } from './result-route.ts'
import { measureStarts } from './starts.ts'
import { makeWorld } from './world.ts'

export const benchApi = (wanted: string[]): Promise<void> => runParts(benchmark, wanted)

const benchmark = {
  name: 'api',
  title: 'The service against what the machine gives',
  limitMinutes: 15,
  // For the run of ten million rows.
  makeWorld: () => makeWorld({ environment: { RESULT_MAX_ROWS: '20000000', RESULT_MAX_MB: '4096' } }),
  parts: {
    lists: measureLists,
    result: measureResultRoute,
    refresh: measureRefresh,
    requests: measureRequests,
    lookups: measureLookups,
    memory: measureMemory,
    start: measureStarts,
  },
}
