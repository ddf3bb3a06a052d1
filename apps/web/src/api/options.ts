import { queryOptions } from '@tanstack/react-query'
import type { OptionsOfReference } from './generated/schemas.ts'
import { ApiError, request } from './request.ts'
import type { ParameterValues } from './runs.ts'
import { runReference } from './references.ts'

export interface OptionsSource {
  referenceShortId: string
  valueColumn: string
  labelColumn?: string | undefined
  search: string
  /** The values of the parameters that the options depend on. */
  values: ParameterValues
}

/** How often to check whether the query of the options has finished. */
const pollMs = 1000

interface ReadOptions extends OptionsOfReference {
  isStarted: boolean
}

/** The options in a reference's result. If it has no result with these values yet, runs it once and waits. */
export const optionsOfReference = (source: OptionsSource) => {
  const queryKey = ['options', source]
  return queryOptions({
    queryKey,
    queryFn: async ({ signal, client }): Promise<ReadOptions> => {
      const { isStarted = false } = client.getQueryData<ReadOptions>(queryKey) ?? {}
      const found = await readOptions(source, signal)
      if (found.status !== 'missing') return { ...found, isStarted: isStarted && found.status === 'running' }
      // Somebody stopped the run, or it was lost. Starting it again and again would not help.
      if (isStarted) return { ...found, status: 'failed', failureReason: 'The query did not finish.', isStarted: false }
      const isOwn = await start(source, found)
      return { ...found, status: 'running', isStarted: isOwn }
    },
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? pollMs : false),
    staleTime: 60_000,
  })
}

const readOptions = ({ referenceShortId, valueColumn, labelColumn, search, values }: OptionsSource, signal: AbortSignal) =>
  request('GET /references/{shortId}/options', {
    params: { shortId: referenceShortId },
    query: {
      valueColumn,
      labelColumn,
      search: search || undefined,
      values: Object.keys(values).length === 0 ? undefined : JSON.stringify(values),
    },
    signal,
  })

/** False if somebody else has just started it, perhaps with other values. */
async function start({ referenceShortId }: OptionsSource, { parameterValues }: OptionsOfReference): Promise<boolean> {
  try {
    await runReference(referenceShortId, parameterValues)
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'query_already_running') return false
    throw error
  }
}
