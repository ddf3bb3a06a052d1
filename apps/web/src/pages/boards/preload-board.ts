import type { QueryClient } from '@tanstack/react-query'
import { boardOptions, boardResultsOptions } from '../../api/boards.ts'
import { loadDrawnChart } from '../../charts/load-drawn-chart.ts'
import { readValues, valuesToSend } from '../../parameters/values.ts'

/** Loads what a board shows before its page is there: the board, which results its tiles have, and the code of charts. */
export async function preloadBoard(queryClient: QueryClient, { shortId, search }: { shortId: string; search: string }): Promise<void> {
  const { parameters, references } = await queryClient.fetchQuery(boardOptions(shortId))
  const results = queryClient.prefetchQuery(boardResultsOptions(shortId, valuesToSend(parameters, readValues(parameters, search))))
  const hasChart = references.some(({ visualization }) => visualization && !kindsWithoutDrawing.has(visualization.type))
  await Promise.all([results, hasChart && loadDrawnChart()])
}

const kindsWithoutDrawing = new Set(['table', 'number', 'pivot'])
