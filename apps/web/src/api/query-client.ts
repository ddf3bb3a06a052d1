import { QueryClient } from '@tanstack/react-query'
import { ApiError } from './request.ts'

const attempts = 3

/** Whether asking once more may help: not when the service has judged the request, only when it could not be reached or failed. */
export function mayHelpToAskAgain(failureCount: number, error: unknown): boolean {
  if (error instanceof ApiError && error.status >= 400 && error.status < 500) return false
  return failureCount < attempts - 1
}

/** What the pages have asked of the service, kept for a moment so that going back and forth is instant. */
export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { retry: mayHelpToAskAgain, staleTime: 5000, refetchOnWindowFocus: true, networkMode: 'always' },
      mutations: { networkMode: 'always' },
    },
  })
}
